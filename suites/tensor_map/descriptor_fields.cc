// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_map/descriptor_fields.h"

#include "reference/model/tensor_copy/fields.h"
#include "suites/run/field_coverage.h"
#include "suites/tensor_map/map_members.h"

namespace assay::suites {
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

}  // namespace assay::suites
