// SPDX-License-Identifier: Apache-2.0
// Measured products of mma.sp and wgmma.sp: one dot product a row, or all registers of a warp.
#include <algorithm>

#include "reference/layout/fragments.h"
#include "reference/numerics/arithmetic.h"
#include "reference/numerics/exact.h"
#include "reference/numerics/fast.h"
#include "suites/vectors/csv.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {
namespace {

constexpr std::string_view dots_header[] = {"id",     "instruction", "selector",    "K",      "a_type",
                                            "b_type", "cd_type",     "metadata",    "a_kept", "b_all",
                                            "c",      "d",           "silicon_sm90"};
constexpr std::string_view fragments_header[] = {"id",     "instruction",      "selector", "lanes",
                                                 "a_regs", "b_regs_or_matrix", "c_regs",   "metadata_regs",
                                                 "d_regs", "silicon_sm90"};

using Codes = std::vector<uint64_t>;

/// An instruction with a sparse A.
struct SparseProduct {
  numerics::Types types;  ///< of the kept elements
  const numerics::Instruction* instruction = nullptr;
  const layout::SparsityRow* sparsity = nullptr;
  int groups = 0;  ///< codes of metadata of a row

  /// What the kept elements of a row meet of a column.
  Codes met(const Codes& metadata, const Codes& b) const {
    Codes found;
    for (int g = 0; g < groups; ++g)
      for (int i = 0; i < sparsity->kept; ++i) {
        const auto code = static_cast<uint32_t>(metadata[static_cast<size_t>(g)]);
        const auto first = static_cast<size_t>(g * sparsity->chunk);
        found.push_back(sparsity->kind == layout::SparsityKind::one_of_two
                            ? layout::met_halves(code, static_cast<uint32_t>(b[first]),
                                                 static_cast<uint32_t>(b[first + 1]))
                            : b[first + static_cast<size_t>(layout::met_element(*sparsity, code, i))]);
      }
    return found;
  }
  uint64_t dot(const Codes& a, const Codes& b, uint64_t c) const {
    return exact_dot(instruction->arithmetic, types, {a, b, c, {}, {}, 0});
  }
};

/// K of all of B. Throws RowError where there is no such instruction.
SparseProduct product_of(const std::string& text, int64_t k, const spec::Format& a, const spec::Format& b,
                         const spec::Format& d) {
  SparseProduct made;
  made.sparsity = &layout::sparsity_of(a, true);
  if (k < made.sparsity->chunk || k > 256 || k % made.sparsity->chunk != 0)
    throw RowError{"K of " + std::to_string(k) + " is not whole chunks of metadata"};
  made.types = {&a, &b, &d, static_cast<int>(k) / 2};
  made.groups = static_cast<int>(k) / made.sparsity->chunk;
  const bool is_wgmma = text.starts_with("wgmma.sp.");
  if (!is_wgmma && !text.starts_with("mma.sp")) throw RowError{"'" + text + "' is not a sparse product"};
  made.instruction = numerics::find_instruction(is_wgmma ? "wgmma" : "mma_sm90", made.types,
                                                text.find("satfinite") != std::string::npos);
  if (made.instruction == nullptr) throw RowError{"no instruction multiplies these types with this K"};
  return made;
}

void finish(const Differences& differences, RowResult& result) {
  result.detail = differences.text();
  result.verdict = result.detail.empty() ? RowVerdict::pass : RowVerdict::fail;
}

void check_dot(const CsvRow& row, RowResult& result) {
  const auto text = [&](std::string_view column) -> const std::string& {
    return cell(sparse_dots_format, row, column);
  };
  result.kind = text("a_type");
  const spec::Format& d = format_named(text("cd_type"));
  const int64_t k = parse_number("K", text("K"));
  const SparseProduct product =
      product_of(text("instruction"), k, format_named(text("a_type")), format_named(text("b_type")), d);
  const std::string& nibbles = text("metadata");
  if (nibbles.size() != static_cast<size_t>(product.groups) ||
      nibbles.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw RowError{"metadata of " + nibbles + " is not " + std::to_string(product.groups) +
                   " hexadecimal digits"};
  Codes metadata;
  for (const char digit : nibbles) metadata.push_back(std::stoull(std::string(1, digit), nullptr, 16));
  const Codes a = codes("a_kept", text("a_kept"), static_cast<size_t>(k / 2), 8);
  const Codes b = product.met(metadata, codes("b_all", text("b_all"), static_cast<size_t>(k), 8));
  const uint64_t c = codes("c", text("c"), 1, 8)[0];
  const std::string expected = hex_code(codes("d", text("d"), 1, 8)[0], d);
  Differences differences;
  differences.compare("d, exact", expected, hex_code(product.dot(a, b, c), d));
  const std::vector<uint32_t> narrow_a(a.begin(), a.end()), narrow_b(b.begin(), b.end());
  const auto narrow_c = static_cast<uint32_t>(c);
  uint32_t fast = 0;
  numerics::fast_tile(product.instruction->arithmetic, product.types,
                      {1, 1, narrow_a, narrow_b, {&narrow_c, 1}, {}, {}, 0}, {&fast, 1});
  differences.compare("d, fast", expected, hex_code(fast, d));
  finish(differences, result);
}

/// The registers of a warp as a matrix of elements: row (column of B) after row.
template <typename PlaceOf>
std::vector<Codes> elements_at(const Codes& registers, int registers_a_lane, int lines, int bits, int k,
                               PlaceOf place_of) {
  std::vector<std::vector<uint8_t>> bytes(static_cast<size_t>(lines),
                                          std::vector<uint8_t>(static_cast<size_t>(k * bits / 8)));
  for (int lane = 0; lane < 32; ++lane)
    for (int r = 0; r < registers_a_lane; ++r)
      for (int j = 0; j < 4; ++j) {
        const layout::MatrixPlace at = place_of(lane, r, j);
        bytes.at(static_cast<size_t>(at.row)).at(static_cast<size_t>(at.column)) =
            static_cast<uint8_t>(registers[static_cast<size_t>(lane * registers_a_lane + r)] >> 8 * j);
      }
  std::vector<Codes> made(static_cast<size_t>(lines));
  for (int line = 0; line < lines; ++line)
    for (int i = 0; i < k; ++i) {
      uint64_t code = 0;
      for (int bit = 0; bit < bits; ++bit) {
        const auto at = static_cast<size_t>(i * bits + bit);
        code |= (uint64_t{bytes[static_cast<size_t>(line)][at / 8]} >> at % 8 & 1) << bit;
      }
      made[static_cast<size_t>(line)].push_back(code);
    }
  return made;
}

/// C or D of 16 rows of 8: of a register each, or two.
std::vector<Codes> accumulators(const Codes& registers, const spec::Format& d) {
  std::vector<Codes> made(16, Codes(8));
  const int halves = d.storage_bits == 16 ? 2 : 1, count = 4 / halves;
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < count; ++i)
      for (int half = 0; half < halves; ++half) {
        const layout::MatrixPlace at =
            halves == 2 ? layout::half_accumulator_place(lane, i, half) : layout::accumulator_place(lane, i);
        const uint64_t word = registers[static_cast<size_t>(lane * count + i)];
        made[static_cast<size_t>(at.row)][static_cast<size_t>(at.column)] =
            halves == 2 ? word >> 16 * half & 0xffff : word;
      }
  return made;
}

/// "m16n8k32" and the types behind it: "f32.f16.f16.f32".
struct WarpProduct {
  int64_t k;
  const spec::Format &d, &a, &b;
};
WarpProduct read_warp_product(const std::string& text) {
  const std::vector<std::string> words = split(text, '.');
  const auto shape = std::find_if(words.begin(), words.end(),
                                  [](const std::string& word) { return word.starts_with("m16n8k"); });
  if (shape == words.end() || words.size() < 5) throw RowError{"'" + text + "' is not an mma.sp of a warp"};
  const size_t types = words.size() - 4;
  return {parse_number("K", shape->substr(6)), format_named(words[types]), format_named(words[types + 1]),
          format_named(words[types + 2])};
}

/// A row of registers: of each column as many as the instruction takes.
struct FragmentRow {
  WarpProduct warp;
  int64_t selector;
  int a_registers, b_registers;
  Codes a, b, c, d, metadata;
};
FragmentRow read_fragment(const CsvRow& row) {
  const auto text = [&](std::string_view column) -> const std::string& {
    return cell(sparse_fragments_format, row, column);
  };
  FragmentRow read{.warp = read_warp_product(text("instruction"))};
  product_of(text("instruction"), read.warp.k, read.warp.a, read.warp.b, read.warp.d);
  read.selector = parse_number("selector", text("selector"));
  if (read.selector < 0 || read.selector > 3)
    throw RowError{"selector of " + text("selector") + " is not 0 to 3"};
  const int k = static_cast<int>(read.warp.k), bits = read.warp.a.storage_bits;
  read.a_registers = k / 2 * bits / 64, read.b_registers = k * bits / 128;
  read.a = codes("a_regs", text("a_regs"), static_cast<size_t>(32 * read.a_registers), 8);
  read.b = codes("b_regs", text("b_regs_or_matrix"), static_cast<size_t>(32 * read.b_registers), 8);
  const size_t results = read.warp.d.storage_bits == 16 ? 64 : 128;
  read.c = codes("c_regs", text("c_regs"), results, 8), read.d = codes("d_regs", text("d_regs"), results, 8);
  read.metadata = codes("metadata_regs", text("metadata_regs"), 32, 8);
  return read;
}

void check_fragment(const CsvRow& row, RowResult& result) {
  const FragmentRow read = read_fragment(row);
  const WarpProduct& warp = read.warp;
  result.kind = warp.a.name;
  const SparseProduct product =
      product_of(cell(sparse_fragments_format, row, "instruction"), warp.k, warp.a, warp.b, warp.d);
  const int k = static_cast<int>(warp.k), bits = warp.a.storage_bits;
  const auto a = elements_at(read.a, read.a_registers, 16, bits, k / 2, layout::a_place);
  const auto b = elements_at(read.b, read.b_registers, 8, bits, k, layout::b_place);
  const auto c = accumulators(read.c, warp.d), d = accumulators(read.d, warp.d);
  Differences differences;
  for (size_t m = 0; m < 16; ++m) {
    Codes metadata;
    for (int g = 0; g < product.groups; ++g) {
      const layout::MetadataRegister at = layout::metadata_register(
          bits, product.groups, static_cast<int>(read.selector), static_cast<int>(m), g);
      metadata.push_back(read.metadata.at(static_cast<size_t>(at.lane)) >> 4 * at.nibble & 15);
    }
    for (size_t n = 0; n < 8; ++n)
      differences.compare("d of row " + std::to_string(m) + ", column " + std::to_string(n),
                          hex_code(d[m][n], warp.d),
                          hex_code(product.dot(a[m], product.met(metadata, b[n]), c[m][n]), warp.d));
  }
  finish(differences, result);
}

std::optional<RowCase> dot_as_case(const CsvRow& row) {
  const auto text = [&](std::string_view column) { return cell(sparse_dots_format, row, column); };
  const std::string instruction = text("instruction");
  const bool saturates = instruction.find("satfinite") != std::string::npos;
  return warp_dot_as_case(
      {.family = instruction.starts_with("wgmma") ? "wgmma" : "mma_sm90",
       .param_set = saturates ? ".sat" : "",
       .k = text("K"),
       .a_type = text("a_type"),
       .b_type = text("b_type"),
       .d_type = text("cd_type"),
       .scale_type = "-",
       .a = text("a_kept"),
       .b = text("b_all"),
       .c = text("c"),
       .d = text("d"),
       .metadata = text("metadata"),
       .selector = narrow<uint32_t>("selector", parse_number("selector", text("selector"))),
       .is_ordered = instruction.starts_with("mma.sp::ordered_metadata")});
}

std::optional<RowCase> fragment_as_case(const CsvRow& row) {
  const FragmentRow read = read_fragment(row);
  const std::string& instruction = cell(sparse_fragments_format, row, "instruction");
  const auto words = [](const Codes& list) { return std::vector<uint32_t>(list.begin(), list.end()); };
  return warp_fragment_as_case({.a_type = std::string(read.warp.a.name),
                                .b_type = std::string(read.warp.b.name),
                                .d_type = std::string(read.warp.d.name),
                                .saturates = instruction.find("satfinite") != std::string::npos,
                                .k = narrow<uint32_t>("K", read.warp.k),
                                .selector = narrow<uint32_t>("selector", read.selector),
                                .is_ordered = instruction.starts_with("mma.sp::ordered_metadata"),
                                .a = words(read.a),
                                .b = words(read.b),
                                .c = words(read.c),
                                .d = words(read.d),
                                .metadata = words(read.metadata)});
}

}  // namespace

const FileFormat sparse_dots_format{"sparse dot products", dots_header, check_dot, dot_as_case};
const FileFormat sparse_fragments_format{"registers of sparse products", fragments_header, check_fragment,
                                         fragment_as_case};

}  // namespace assay::vectors
