// SPDX-License-Identifier: Apache-2.0

#include "reference/layout/canonical.h"
#include "reference/spec/instr_desc.h"
#include "reference/spec/zero_column_mask.h"
#include "suites/vectors/csv.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {
namespace {

/// A row of descriptors in hand.
struct DescriptorRow {
  std::string_view name, variant;  ///< "smem", "K_128B"
  const Pairs& params;
  uint64_t word;
  /// Of a parameter. Throws RowError where the row has none of that name, or more than 32 bits of it.
  uint32_t number(std::string_view key) const { return narrow<uint32_t>(key, params.number(key)); }
};

constexpr std::string_view descriptors_header[] = {"id", "class", "variant", "params", "note", "word_hex"};

/// "K_128B" or "MN_128B_B32" as order and swizzle.
std::pair<bool, const spec::SmemSwizzle*> order_and_swizzle(std::string_view variant) {
  const size_t at = variant.find('_');
  const std::string_view order = variant.substr(0, at);
  std::string_view mode = at == std::string::npos ? "" : variant.substr(at + 1);
  if (mode == "NONE") mode = "none";
  if (mode == "128B_B32") mode = "128B_atom32B";
  const spec::SmemSwizzle* swizzle = spec::find_smem_swizzle(mode);
  if ((order != "K" && order != "MN") || swizzle == nullptr)
    throw RowError{"'" + std::string(variant) + "' is not an order and swizzle (K_128B, MN_NONE, ...)"};
  return {order == "MN", swizzle};
}

/// A tile built from swizzle atoms: 8 rows by one swizzle width, or one width by the lines of the mode,
/// stacked along MN or along K first. The row's texts are read once, for every element of the tile is looked
/// at.
class Tile {
 public:
  Tile(const DescriptorRow& row, bool mn_major, const spec::SmemSwizzle& swizzle)
      : mn_major_(mn_major),
        bits_(row.number("elem_bits")),
        width_(swizzle.width),
        lines_(mn_major ? swizzle.lines : 8),
        extent_x_(row.number(mn_major ? "tile_MN" : "tile_K") * bits_ / 8 / width_),
        extent_line_(row.number(mn_major ? "tile_K" : "tile_MN") / lines_),
        x_first_((row.params.text("atom_order") == "MN") == mn_major),
        base_(row.number("tile_base")) {}

  uint32_t base() const { return base_; }
  /// Where an element is, before the swizzle.
  uint32_t place(uint32_t mn, uint32_t k) const {
    const uint32_t x = (mn_major_ ? mn : k) * bits_ / 8, line = mn_major_ ? k : mn;
    const uint32_t atom_x = x / width_, atom_line = line / lines_;
    const uint32_t atom = x_first_ ? atom_x + atom_line * extent_x_ : atom_line + atom_x * extent_line_;
    return base_ + (atom * lines_ + line % lines_) * width_ + x % width_;
  }

 private:
  bool mn_major_;
  uint32_t bits_, width_, lines_, extent_x_, extent_line_;
  bool x_first_;
  uint32_t base_;
};

void check_smem(const DescriptorRow& row, Differences& differences) {
  const auto [mn_major, swizzle] = order_and_swizzle(row.variant);
  const uint32_t bits = row.number("elem_bits");
  if (bits != 4 && bits != 8 && bits != 16 && bits != 32) throw RowError{"elem_bits is not 4, 8, 16 or 32"};
  const uint32_t rows = row.number("mma_MN"), depth = row.number("mma_K");
  if (rows > 256 || depth > 128) throw RowError{"mma_MN is at most 256, mma_K 128"};
  differences.compare("swz", row.params.number("swz"), swizzle->tcgen05_code);
  const Tile tile(row, mn_major, *swizzle);
  const uint32_t k_first = row.number("k_step") * depth;
  const uint32_t tile_start = tile.place(0, k_first);
  differences.compare("start", row.params.number("start"), tile_start & 0x3fff0);
  differences.compare("step_byte_off", row.params.number("step_byte_off"), tile_start - tile.base());
  const spec::SmemMatrix matrix{tile_start, row.number("LBO_B"), row.number("SBO_B"), 0, false, swizzle};
  differences.compare("word", hex_word(row.word), hex_word(spec::encode_smem_desc(matrix)));
  // Every element that the instruction reads through the word is where the tile has it.
  const std::optional<spec::SmemMatrix> read = spec::decode_smem_desc(row.word);
  if (!read) return differences.add("word: the swizzle code has no meaning");
  const layout::SmemOperand operand{static_cast<int>(bits), layout::Packing::plain, mn_major};
  for (uint32_t mn = 0; mn < rows; ++mn)
    for (uint32_t k = 0; k < depth; ++k) {
      const uint32_t in_tile = tile.place(mn, k_first + k);
      const layout::SmemPlace place = layout::smem_place(*read, operand, mn, k);
      const uint32_t expected = layout::swizzled(*read, in_tile);
      if (place.byte == expected) continue;
      return differences.add("element " + std::to_string(mn) + ", " + std::to_string(k) +
                             ": the tile has it at " + hex_word(expected) + ", the descriptor leads to " +
                             hex_word(place.byte));
    }
}

/// The chain of K = 96: 48 bytes an instruction, buffers of 128 bytes.
void check_smem_absolute(const DescriptorRow& row, Differences& differences) {
  const spec::SmemSwizzle* swizzle = order_and_swizzle(row.variant).second;
  const spec::SmemMatrix matrix{row.number("start"),
                                row.number("lbo_abs"),
                                row.number("SBO_B"),
                                0,
                                row.params.number("lbo_mode") != 0,
                                swizzle};
  differences.compare("word", hex_word(row.word), hex_word(spec::encode_smem_desc(matrix)));
  std::vector<uint32_t> buffers;
  for (const std::string& one : split(row.params.text("buffers"), '/'))
    buffers.push_back(narrow<uint32_t>("buffers", parse_number("buffers", one)));
  const std::optional<spec::SmemMatrix> read = spec::decode_smem_desc(row.word);
  if (!read) return differences.add("word: the swizzle code has no meaning");
  const uint32_t first = row.number("mma_index") * 48;
  for (uint32_t mn = 0; mn < 128; ++mn)
    for (uint32_t x = 0; x < 48; ++x) {
      const uint32_t from = first + x;
      if (from / 128 >= buffers.size()) throw RowError{"the chain runs past its buffers"};
      const uint32_t expected = layout::swizzled(
          *read, buffers[from / 128] + mn / 8 * matrix.stride_offset + mn % 8 * 128 + from % 128);
      const uint32_t byte = layout::smem_place(*read, {8, layout::Packing::plain, false}, mn, x).byte;
      if (byte == expected) continue;
      return differences.add("row " + std::to_string(mn) + " byte " + std::to_string(x) +
                             ": the buffers have it at " + hex_word(expected) + ", the descriptor leads to " +
                             hex_word(byte));
    }
}

const spec::Format* kind_format(std::string name) {
  if (name == "e2m1u") name = "e2m1";  // e2m1 in a kind where it has the code of the wider types
  return &format_named(name);
}

void check_idesc(const DescriptorRow& row, Differences& differences) {
  const std::string kind_name(row.variant.substr(0, row.variant.find('.')));
  const spec::MmaKindRow* kind = spec::find_mma_kind(kind_name);
  if (kind == nullptr) throw RowError{"'" + kind_name + "' is not a kind of tcgen05.mma"};
  const auto flag = [&](std::string_view key) { return row.params.number(key) != 0; };
  spec::InstrDesc desc{kind_format(row.params.text("a")), kind_format(row.params.text("b")),
                       kind_format(row.params.text("d"))};
  desc.m = narrow<int>("M", row.params.number("M")), desc.n = narrow<int>("N", row.params.number("N"));
  desc.transpose_a = flag("a_mn_major"), desc.transpose_b = flag("b_mn_major");
  desc.negate_a = flag("a_neg"), desc.negate_b = flag("b_neg"), desc.sparse = flag("sparse");
  if (kind->is_mx) {
    desc.scale = kind_format(row.params.text("sf"));
    desc.a_scale_id = row.number("a_sf_id"), desc.b_scale_id = row.number("b_sf_id"),
    desc.k96 = flag("k_bit");
  } else {
    desc.saturate = flag("sat"), desc.sparsity_selector = row.number("sparse_sel");
    constexpr uint32_t columns[] = {0, 8, 16, 32};
    desc.max_shift = columns[row.number("max_shift") & 3];
  }
  differences.compare("word", hex_word(row.word), hex_word(spec::encode_instr_desc(kind->kind, desc)));
  const auto read = spec::decode_instr_desc(kind->kind, static_cast<uint32_t>(row.word));
  if (!read) return differences.add("word: a type code has no meaning");
  differences.compare("A", desc.a->name, read->a->name);
  differences.compare("B", desc.b->name, read->b->name);
  differences.compare("D", desc.d->name, read->d->name);
  differences.compare("M", desc.m, read->m);
  differences.compare("N", desc.n, read->n);
}

/// "(0 1 2 1)"
std::vector<int64_t> four_numbers(const DescriptorRow& row, std::string_view key) {
  const std::string& text = row.params.text(key);
  if (text.size() < 2 || text.front() != '(' || text.back() != ')')
    throw RowError{"'" + text + "' of " + std::string(key) + " is not four numbers in parentheses"};
  std::vector<int64_t> numbers;
  for (const std::string& one : split(text.substr(1, text.size() - 2), ' '))
    numbers.push_back(parse_number(key, one));
  if (numbers.size() != 4) throw RowError{"'" + text + "' of " + std::string(key) + " is not four numbers"};
  return numbers;
}

void check_mask_example(const DescriptorRow& row, Differences& differences) {
  spec::ZeroColumnMask mask;
  const std::vector<int64_t> counts = four_numbers(row, "sc0..3"), firsts = four_numbers(row, "fs0..3");
  for (size_t i = 0; i < 4; ++i) {
    mask.start_count[i] = narrow<uint32_t>("sc0..3", counts[i]);
    mask.first_is_zeroed[i] = firsts[i] != 0;
  }
  mask.generate = row.params.number("nzm") != 0;
  mask.skip_span = row.number("skip_field") + 1, mask.use_span = row.number("use_field") + 1;
  mask.column_shift = row.number("shift");
  differences.compare("word", hex_word(row.word), hex_word(spec::encode_zero_column_mask(mask)));
}

/// The mask of one filter tap: columns whose pixel, moved by the tap, lies in the padding.
void check_mask_of_convolution(const DescriptorRow& row, Differences& differences) {
  const auto small = [&](std::string_view key) { return narrow<int32_t>(key, row.params.number(key)); };
  const int m = small("M"), n = small("N");
  const int64_t length = small("Q"), tap = small("filter_tap_s"), cta = small("cta"), pad = small("pad");
  if (length < 1 || n < 1 || n > 256) throw RowError{"Q and N are positive, N at most 256"};
  const spec::ZeroColumnMask mask = spec::decode_zero_column_mask(row.word);
  differences.compare("encoded again", hex_word(row.word), hex_word(spec::encode_zero_column_mask(mask)));
  differences.compare("column shift", tap, mask.column_shift);
  const std::vector<bool> zeroed = spec::zeroed_columns(mask, m, n);
  for (int j = 0; j < n; ++j) {
    const int64_t from = (cta * n + j) % length + tap - pad;
    const bool in_padding = from < 0 || from >= length;
    if (in_padding != zeroed[static_cast<size_t>(j)])
      return differences.add(
          "column " + std::to_string(j) +
          (in_padding ? " lies in the padding but is used" : " is zeroed but not in the padding"));
  }
}

void check_descriptors(const CsvRow& row, RowResult& result) {
  const std::string& name = cell(descriptors_format, row, "class");
  const std::string& variant = cell(descriptors_format, row, "variant");
  result.kind = name + " " + variant;
  void (*const check_row)(const DescriptorRow&, Differences&) =
      name == "smem"                               ? check_smem
      : name == "smem_abs"                         ? check_smem_absolute
      : name == "idesc"                            ? check_idesc
      : name == "zcm" && variant == "doc_example"  ? check_mask_example
      : name == "zcm" && variant == "cutlass_conv" ? check_mask_of_convolution
                                                   : nullptr;
  if (check_row == nullptr) {
    result.verdict = RowVerdict::unknown_kind;
    result.detail = "'" + result.kind + "' is not a class of descriptors";
    return;
  }
  Differences differences;
  const Pairs params(cell(descriptors_format, row, "params"));
  const std::string& word = cell(descriptors_format, row, "word_hex");
  if (!word.starts_with("0x")) throw RowError{"'" + word + "' of word_hex is not a word in hexadecimal"};
  check_row({name, variant, params, parse_number<uint64_t>("word_hex", word)}, differences);
  result.settle(differences.text());
}

}  // namespace

const FileFormat descriptors_format{descriptors_header, check_descriptors};

namespace {

constexpr std::string_view wgmma_header[] = {
    "id",       "operand", "major", "elem_bytes", "sparse_instr", "mn_extent", "k_extent",
    "desc_hex", "start",   "lbo",   "sbo",        "base",         "swizzle",   "points_mn:k:byte"};

/// Fields of the word, and the measured address of every point.
void check_wgmma(const CsvRow& row, RowResult& result) {
  const auto text = [&](std::string_view column) -> const std::string& {
    return cell(wgmma_format, row, column);
  };
  const auto number = [&](std::string_view column) { return parse_number(column, text(column)); };
  result.kind = "wgmma descriptor";
  const std::string& major = text("major");
  if (major != "K" && major != "MN") throw RowError{"'" + major + "' is not an order: K or MN"};
  const auto word = parse_number<uint64_t>("desc_hex", text("desc_hex"));
  const spec::SmemMatrix matrix = spec::decode_wgmma_smem_desc(word);
  Differences differences;
  differences.compare("start", number("start"), matrix.start);
  differences.compare("lbo", number("lbo"), matrix.leading_offset);
  differences.compare("sbo", number("sbo"), matrix.stride_offset);
  differences.compare("base", number("base"), matrix.base_offset);
  differences.compare("swizzle", text("swizzle"), matrix.swizzle->name);
  const int64_t element_bytes = number("elem_bytes");
  if (element_bytes != 1 && element_bytes != 2 && element_bytes != 4)
    throw RowError{"elem_bytes " + text("elem_bytes") + " is not 1, 2 or 4"};
  const layout::SmemOperand operand{static_cast<int>(element_bytes) * 8, layout::Packing::plain,
                                    major == "MN"};
  for (const std::string& point : split(text("points_mn:k:byte"), ' ')) {
    const std::vector<std::string> parts = split(point, ':');
    if (parts.size() != 3) throw RowError{"'" + point + "' is not mn:k:byte"};
    const auto mn = narrow<uint32_t>("mn", parse_number("mn", parts[0]));
    const auto k = narrow<uint32_t>("k", parse_number("k", parts[1]));
    const layout::SmemPlace place = layout::smem_place(matrix, operand, mn, k);
    differences.compare("byte of " + parts[0] + ":" + parts[1],
                        hex_word(parse_number<uint64_t>("byte", parts[2])), hex_word(place.byte));
  }
  result.settle(differences.text());
}

}  // namespace

const FileFormat wgmma_format{wgmma_header, check_wgmma};

}  // namespace assay::vectors
