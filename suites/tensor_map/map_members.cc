// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_map/map_members.h"

namespace assay::suites {

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
