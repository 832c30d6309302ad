// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_map/encode_family.h"
#include "reference/model/tensor_copy/fields.h"

namespace assay::suites {
namespace {

constexpr std::string_view encode_map_text =
#include "suites/tensor_map/encode_map_host.inc"
    ;
constexpr std::string_view copy_text =
#include "suites/tensor_copy/copy_host.inc"
    ;
constexpr std::string_view encode_run_text =
#include "suites/tensor_map/encode_run_host.inc"
    ;

std::string record_type(std::string_view record) {
  return "using Record = assay::params::" + std::string(record) + ";\n";
}

}  // namespace

std::string_view tiled_encode_map() {
  return encode_map_text;
}
std::string copy_host(std::string_view record, std::string_view encode_map) {
  return record_type(record).append(encode_map).append(copy_text);
}
std::string encode_host(std::string_view record, std::string_view call_encoder) {
  return record_type(record).append(call_encoder).append(encode_run_text);
}

namespace {

std::vector<CoveredField> tensor_map_fields() {
  std::vector<CoveredField> fields = covered_members<TensorMapArgs>("tensor map");
  fields.insert(fields.begin() + map_address_field, covered_line_offset("address mod 128"));
  return fields;
}

bool read_tensor_map(const Case& c, FieldValues& values) {
  const auto* tiled = c.get_if<TensorCopyCase>();
  const auto* encode = c.get_if<EncodeTiledCase>();
  if (tiled == nullptr ? encode == nullptr : tiled->mode != CopyMode::tile) return false;
  const TensorMapArgs& map = tiled != nullptr ? tiled->map : encode->map;
  size_t at = 0;
  read_members(map, "tensor map", values, at);
  insert_map_address(map, values);
  limit_to_rank(map.rank, {5, 4, 5, 5}, map_address_field + 1, values);
  return true;
}

}  // namespace

std::span<const Descriptor> tensor_map_descriptors() {
  static const std::vector<Descriptor> made = [] {
    std::vector<Descriptor> list;
    list.emplace_back("tensor map", tensor_map_fields(), read_tensor_map);
    return list;
  }();
  return made;
}

void insert_map_address(const TensorMapArgs& map, FieldValues& values) {
  values.pop_back();
  values.insert(values.begin() + map_address_field,
                map.global_address % 16 != 0 ? 8 : map.global_address % 128 / 16);
}

void limit_to_rank(uint32_t rank, std::initializer_list<uint32_t> lists, size_t first, FieldValues& values) {
  for (const uint32_t entries : lists) {
    for (uint32_t i = 0; i < entries; ++i)
      if (i + (5 - entries) >= rank) values[first + i] = std::nullopt;
    first += entries;
  }
}

}  // namespace assay::suites
