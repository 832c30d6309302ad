// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_map/encode.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map_bits.h"
#include "suites/vectors/file_formats.h"

namespace assay::vectors {
namespace {

namespace bits = spec::tensor_map;

std::string word_text(const spec::TensorMapBytes& map, int offset) {
  uint32_t word = 0;
  for (int i = 0; i < 4; ++i) word |= static_cast<uint32_t>(map[static_cast<size_t>(offset + i)]) << (8 * i);
  char digits[9];
  std::snprintf(digits, sizeof digits, "%08x", word);
  return digits;
}

template <typename Row, size_t N>
uint32_t host_value(const std::array<Row, N>& table, std::string_view key, const std::string& name) {
  for (const Row& row : table)
    if (row.name == name) return row.host;
  throw RowError{"'" + name + "' is not a value of " + std::string(key)};
}

/// Rules are named as V-nn, as X-nn, or as several joined by '/'. The files call everything about the address
/// V-05.
bool names_rule(const std::string& names, const spec::Rule& rule) {
  for (const std::string& name : split(names, '/'))
    if (rule.id == name || rule.question == name || (name == "V-05" && rule.id == "V-49")) return true;
  return false;
}

}  // namespace

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

namespace {

/// What the rows of every encoder have.
void read_shared(const Pairs& params, TensorMapArgs& map) {
  const spec::DataType* type = spec::find_data_type(params.text("type"));
  if (type == nullptr) throw RowError{"'" + params.text("type") + "' is not a data type"};
  map.data_type = type->host;
  map.rank = narrow<uint32_t>("rank", params.number("rank"));
  map.global_address = params.number<uint64_t>("addr");
  assign(map.global_dim, params, "dims");
  assign(map.global_stride, params, "strides");
  assign(map.element_stride, params, "estr");
  const std::string& interleave = params.text("il");
  map.interleave = host_value(spec::interleaves, "il", interleave == "NONE" ? "none" : interleave);
  const std::string& swizzle = params.text("sw");
  map.swizzle = host_value(spec::swizzles, "sw", swizzle == "NONE" ? "none" : swizzle);
  const std::string& fill = params.text("oob");
  map.oob_fill = host_value(spec::oob_fills, "oob", fill == "NONE" ? "zero" : fill == "NAN" ? "nan" : fill);
}

template <typename Call>
void judge_call(const VectorRow& row, const Call& call, const TensorMapArgs& map, Differences& differences) {
  const spec::Readings readings(
      arch_for(*spec::find_swizzle(map.swizzle), *spec::find_data_type(map.data_type)));
  const model::EncodePrediction prediction = model::predict_encode(call, readings);
  const std::string& rule_names = row.expected.text("rule");
  differences.compare("result", row.expected.text("result"),
                      prediction.accepted ? "CUDA_SUCCESS" : "CUDA_ERROR_INVALID_VALUE");
  if (prediction.accepted) return;
  bool named = false;
  std::string broken;
  const spec::RuleSet rules = model::broken_rule_set(call, readings);
  for (size_t i = 0; i < spec::rule_table.size(); ++i) {
    if (!rules.test(i)) continue;
    named |= names_rule(rule_names, spec::rule_table[i]);
    broken += (broken.empty() ? "" : ", ") + std::string(spec::rule_table[i].id);
  }
  if (!named) differences.compare("rule", rule_names, broken);
}

EncodeIm2colCase im2col_call(const Pairs& params) {
  EncodeIm2colCase call;
  read_shared(params, call.map);
  assign(call.map.lower, params, "lower");
  assign(call.map.upper, params, "upper");
  call.map.channels = params.number<uint32_t>("cpp");
  call.map.pixels = params.number<uint32_t>("ppc");
  return call;
}
EncodeTiledCase tiled_call(const Pairs& params) {
  EncodeTiledCase call;
  read_shared(params, call.map);
  assign(call.map.box_dim, params, "box");
  return call;
}

/// True: of the im2col encoder. Throws RowError for one that no row is of.
bool is_of_im2col(const Pairs& params) {
  const std::string& api = params.text("api");
  if (api != "Im2col" && api != "Tiled") throw RowError{"'" + api + "' is not an encoder: Tiled or Im2col"};
  return api == "Im2col";
}

/// The call as a case, where the architecture is one that the row holds for.
template <typename Call>
std::optional<RowCase> call_as_case(const VectorRow& row, const Call& call, std::string_view property,
                                    spec::Arch arch) {
  const bool accepted = model::predict_encode(call, spec::Readings(arch)).accepted;
  if (row.expected.text("result") != (accepted ? "CUDA_SUCCESS" : "CUDA_ERROR_INVALID_VALUE"))
    return std::nullopt;
  return RowCase{property, call};
}

}  // namespace

void check_validity(const VectorRow& row, Differences& differences) {
  if (is_of_im2col(row.params)) {
    const EncodeIm2colCase call = im2col_call(row.params);
    return judge_call(row, call, call.map, differences);
  }
  const EncodeTiledCase call = tiled_call(row.params);
  judge_call(row, call, call.map, differences);
}

std::optional<RowCase> validity_as_case(const VectorRow& row, spec::Arch arch) {
  if (is_of_im2col(row.params))
    return call_as_case(row, im2col_call(row.params), "driver.tensor_map.encode_im2col", arch);
  return call_as_case(row, tiled_call(row.params), "driver.tensor_map.encode_tiled", arch);
}

}  // namespace assay::vectors
