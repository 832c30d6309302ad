// SPDX-License-Identifier: Apache-2.0
// The sheet of tensor maps and copies: rows that are no cases, each of a kind.
#include <algorithm>
#include <cstdio>

#include "reference/layout/swizzle.h"
#include "reference/model/reduction.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/spec/tensor_map_bits.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {
namespace {

namespace bits = spec::tensor_map;

/// A row in hand.
struct VectorRow {
  const Pairs& params;
  const Pairs& expected;
};

/// By the names that the sheet uses. Throws RowError.
const spec::Swizzle& swizzle_named(std::string_view name) {
  static constexpr std::pair<std::string_view, uint32_t> names[] = {
      {"none", 0},   {"32", 1},       {"64", 2},     {"128", 3},
      {"128a32", 4}, {"128a32f8", 5}, {"128a64", 6}, {"96", swizzle_96B}};
  for (const auto& [text, host] : names)
    if (text == name) return *spec::find_swizzle(host);
  throw RowError{"'" + std::string(name) +
                 "' is not a swizzle: none, 32, 64, 96, 128, 128a32, 128a32f8 or 128a64"};
}

void check_swizzle(const VectorRow& row, Differences& differences) {
  const model::SwizzlePattern pattern = model::pattern_of(swizzle_named(row.params.text("mode")));
  const auto base = narrow<uint32_t>("base", row.params.number("base"));
  const std::vector<int64_t> logical = row.params.list("logical"), physical = row.expected.list("physical");
  if (logical.size() != physical.size()) throw RowError{"logical and physical differ in length"};
  for (size_t i = 0; i < logical.size(); ++i)
    differences.compare("place of byte " + std::to_string(logical[i]), physical[i],
                        int64_t{pattern.place(base + narrow<uint32_t>("logical", logical[i]))} - base);
}

void check_swizzle_base(const VectorRow& row, Differences& differences) {
  const model::SwizzlePattern pattern = model::pattern_of(swizzle_named(row.params.text("mode")));
  differences.compare("baseoffset", row.expected.number("baseoffset"),
                      row.params.number("dst") / 128 % pattern.atoms);
}

/// "0a??ff" as bytes; -1 for "??".
std::vector<int> byte_string(std::string_view key, const std::string& text) {
  if (text.size() % 2 != 0) throw RowError{std::string(key) + " has an odd number of digits"};
  std::vector<int> bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    const std::string pair = text.substr(i, 2);
    bytes.push_back(pair == "??" ? -1 : static_cast<int>(parse_number(key, "0x" + pair)));
  }
  return bytes;
}

std::string show(const std::vector<int>& bytes) {
  std::string text;
  for (const int byte : bytes) {
    char digits[3] = "??";
    if (byte >= 0) std::snprintf(digits, sizeof digits, "%02x", byte & 0xff);
    text += digits;
  }
  return text;
}

/// One row of 128 elements, no swizzle, tensor and tile at offset 0.
TensorCopyCase one_row(const spec::DataType& type, CopyDirection direction) {
  TensorCopyCase copy;
  copy.direction = direction;
  copy.map.data_type = type.host;
  copy.map.rank = copy.instruction_rank = 1;
  copy.map.global_dim[0] = copy.map.box_dim[0] = 128;
  copy.map.element_stride.fill(1);
  copy.window_bytes = 128;
  return copy;
}

constexpr size_t row_bytes = 128;  ///< room for 128 elements in either memory

std::vector<std::byte> memory_with(const std::vector<int>& bytes) {
  std::vector<std::byte> memory(row_bytes);
  for (size_t i = 0; i < bytes.size(); ++i) memory[i] = static_cast<std::byte>(bytes[i]);
  return memory;
}

void check_packed(const VectorRow& row, Differences& differences) {
  const std::string& type_name = row.params.text("type");
  const spec::DataType* type = spec::find_data_type(type_name);
  if (type == nullptr || !type->is_packed()) throw RowError{"'" + type_name + "' is not a packed type"};
  const std::string& direction = row.params.text("dir");
  const std::vector<int64_t> elements = row.params.list("elems");
  const std::vector<int> global = byte_string("gmem", row.expected.text("gmem"));
  const std::vector<int> shared = byte_string("smem", row.expected.text("smem"));
  if (global.size() > row_bytes || shared.size() > row_bytes || elements.size() > 128)
    throw RowError{"the row has more than 128 elements"};

  // The elements, lowest bits first, are the global bytes.
  std::vector<int> bits_of_elements(elements.size() * type->bits / 8);
  for (size_t bit = 0; bit < bits_of_elements.size() * 8; ++bit)
    bits_of_elements[bit / 8] |= static_cast<int>(elements[bit / type->bits] >> (bit % type->bits) & 1)
                                 << (bit % 8);
  differences.compare("gmem of the elements", show(global), show(bits_of_elements));

  const spec::Readings readings(spec::Arch::sm_100);
  const bool loads = direction.find("load") != std::string::npos,
             stores = direction.find("store") != std::string::npos;
  if (!loads && !stores) throw RowError{"dir '" + direction + "' is neither load nor store"};
  if (loads) {
    std::vector<std::byte> window(row_bytes), defined(row_bytes, std::byte{0xff});
    const auto prediction = model::predict_load(one_row(*type, CopyDirection::load), readings,
                                                memory_with(global), window, defined);
    if (prediction.end != model::End::done) differences.add("the reference does not load it");
    std::vector<int> seen;
    for (size_t i = 0; i < shared.size(); ++i)
      seen.push_back(defined[i] == std::byte{0} ? -1 : static_cast<int>(window[i]));
    differences.compare("smem after the load", show(shared), show(seen));
  }
  if (stores) {
    std::vector<std::byte> slot(row_bytes);
    const auto prediction =
        model::predict_store(one_row(*type, CopyDirection::store), readings, memory_with(shared), slot, {});
    if (prediction.end != model::End::done) differences.add("the reference does not store it");
    std::vector<int> seen;
    for (size_t i = 0; i < global.size(); ++i) seen.push_back(static_cast<int>(slot[i]));
    differences.compare("gmem after the store", show(global), show(seen));
  }
}

std::string word_text(const spec::TensorMapBytes& map, int offset) {
  uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word |= static_cast<uint32_t>(map[static_cast<size_t>(offset + i)]) << (8 * i);
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", word);
  return digits;
}

/// The fields of the row, written one after the other over 128 zero bytes as tensormap.replace does.
void check_descriptor(const VectorRow& row, Differences& differences) {
  const Pairs& params = row.params;
  const spec::DataType* type = spec::find_data_type(params.text("type"));
  if (type == nullptr) throw RowError{"'" + params.text("type") + "' is not a data type"};
  constexpr int64_t mode_96B = 4;  // operand of tensormap.replace.tile.swizzle_mode
  const int64_t swizzle_mode = params.number("swizzle");
  if (swizzle_mode < 0 || swizzle_mode > mode_96B)
    throw RowError{"swizzle " + std::to_string(swizzle_mode) + " is not 0 to 4"};
  spec::TensorMapBytes map{};
  put(map, bits::global_address, params.number<uint64_t>("addr"));
  put(map, bits::rank, static_cast<uint64_t>(params.number("rank")));
  put_raw(map, bits::type, type->code);
  put_raw(map, bits::tf32, type->tf32);
  put_raw(map, bits::interleave, static_cast<uint64_t>(params.number("interleave")));
  put_raw(map, bits::swizzle_width, swizzle_mode == mode_96B ? 0 : static_cast<uint64_t>(swizzle_mode));
  put_raw(map, bits::swizzle_96B, swizzle_mode == mode_96B);
  put_raw(map, bits::swizzle_atomicity, static_cast<uint64_t>(params.number("atom")));
  put_raw(map, bits::fill, static_cast<uint64_t>(params.number("fill")));
  const auto put_list = [&](const auto& targets, std::string_view key) {
    std::array<uint64_t, std::tuple_size_v<std::decay_t<decltype(targets)>>> values{};
    assign(values, params, key);
    for (size_t i = 0; i < params.list<uint64_t>(key).size(); ++i) put(map, targets[i], values[i]);
  };
  put_list(bits::global_dim, "dims");
  put_list(bits::global_stride, "strides");
  put_list(bits::box_dim, "box");
  put_list(bits::element_stride, "estr");
  for (int offset = 0; offset <= 0x38; offset += 4) {
    char key[4];
    std::snprintf(key, sizeof key, "w%02x", offset);
    differences.compare(key, row.expected.text(key), word_text(map, offset));
  }
}

template <typename Names>
size_t position(const Names& names, std::string_view name, std::string_view what) {
  for (size_t i = 0; i < names.size(); ++i)
    if (names[i] == name) return i;
  throw RowError{"'" + std::string(name) + "' is not a " + std::string(what) + " of a reduction"};
}

/// By the names of PTX or of a map's types.
spec::ReduceType type_named(std::string_view name) {
  if (name == "tf32") name = "f32";
  if (name == "tf32.ftz") name = "f32.ftz";
  for (size_t i = 0; i < spec::reduce_types.size(); ++i)
    if (spec::reduce_types[i].name == name) return static_cast<spec::ReduceType>(i);
  throw RowError{"'" + std::string(name) + "' is not a type of an element of a reduction"};
}

/// One element of a reduction of a tensor: op, type, gmem, smem and the result.
void check_reduction(const VectorRow& row, Differences& differences) {
  const spec::Reduction what{
      static_cast<spec::ReduceOp>(position(spec::reduce_op_names, row.params.text("op"), "operation")),
      type_named(row.params.text("type"))};
  const uint32_t bytes = spec::bytes_of(what.type);
  differences.compare(
      "result", hex_code(row.expected.number<uint64_t>("result"), 2 * bytes),
      hex_code(model::reduced(what, row.params.number<uint64_t>("gmem"), row.params.number<uint64_t>("smem")),
               2 * bytes));
}

/// A kind of row. Check functions throw RowError for rows that they cannot read.
struct VectorKind {
  std::string_view name;
  void (*check)(const VectorRow&, Differences&);
};
constexpr VectorKind kinds[] = {{"SWZ", check_swizzle},
                                {"SWZBASE", check_swizzle_base},
                                {"PACK", check_packed},
                                {"DESC", check_descriptor},
                                {"RED", check_reduction}};

constexpr std::string_view sheet_header[] = {"id",       "kind",  "confidence", "params",
                                             "expected", "notes", "silicon"};

void require_all_used(const Pairs& pairs, std::string_view column) {
  const std::vector<std::string> unused = pairs.unused();
  if (!unused.empty())
    throw RowError{"the key " + unused[0] + " of " + std::string(column) + " is not one of this kind"};
}

void check_sheet(const CsvRow& row, RowResult& result) {
  result.kind = cell(sheet_format, row, "kind");
  const auto* kind = std::find_if(std::begin(kinds), std::end(kinds),
                                  [&](const VectorKind& k) { return k.name == result.kind; });
  if (kind == std::end(kinds)) {
    result.verdict = RowVerdict::unknown_kind;
    result.detail = "'" + result.kind + "' is not a kind of the format";
    return;
  }
  const Pairs params(cell(sheet_format, row, "params")), expected(cell(sheet_format, row, "expected"));
  Differences differences;
  kind->check({params, expected}, differences);
  require_all_used(params, "params");
  require_all_used(expected, "expected");
  const bool gates = cell(sheet_format, row, "confidence") != "unverified" ||
                     cell(sheet_format, row, "silicon") != "not run";
  result.settle(differences.text(), gates ? "" : "unconfirmed");
}

}  // namespace

const FileFormat sheet_format{sheet_header, check_sheet};

}  // namespace assay::vectors
