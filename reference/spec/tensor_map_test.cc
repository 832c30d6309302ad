// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/tensor_map.h"

#include <gtest/gtest.h>

#include <set>

#include "reference/spec/tensor_map_bits.h"

namespace assay::spec {
namespace {

TEST(TensorMapTables, HostValuesAndCodesAreUnique) {
  std::set<std::pair<uint32_t, bool>> codes;
  for (size_t i = 0; i < data_types.size(); ++i) {
    EXPECT_EQ(data_types[i].host, i);
    EXPECT_TRUE(codes.insert({data_types[i].code, data_types[i].tf32}).second) << data_types[i].name;
    EXPECT_EQ(find_data_type(data_types[i].name), &data_types[i]);
    EXPECT_EQ(find_data_type(data_types[i].host_name), &data_types[i]);
    EXPECT_EQ(find_data_type_by_code(data_types[i].code, data_types[i].tf32), &data_types[i]);
    EXPECT_EQ(data_types[i].bits * data_types[i].group, data_types[i].group_global_bytes * 8);
  }
  for (const Swizzle& row : swizzles) {
    EXPECT_EQ(find_swizzle(row.host), &row);
    EXPECT_EQ(find_swizzle(row.name), &row);
    EXPECT_EQ(find_swizzle_by_code(row.width_code, row.atomicity_code, row.is_96B), &row);
  }
  EXPECT_EQ(find_data_type(16u), nullptr);
  EXPECT_EQ(find_swizzle(7u), nullptr);
  EXPECT_EQ(find_swizzle(~0u), nullptr);
  EXPECT_EQ(find_swizzle(""), nullptr);
}

// The three places where host and PTX numbering differ, copied from the PTX table by hand.
TEST(TensorMapTables, ElemtypeGoldenRows) {
  EXPECT_EQ(find_data_type("f64")->host, 8u);
  EXPECT_EQ(find_data_type("f64")->elemtype, 9u);
  EXPECT_EQ(find_data_type("bf16")->host, 9u);
  EXPECT_EQ(find_data_type("bf16")->elemtype, 10u);
  EXPECT_EQ(find_data_type("f32.ftz")->host, 10u);
  EXPECT_EQ(find_data_type("f32.ftz")->elemtype, 8u);
}

TensorMapBytes zeros() {
  return {};
}

TEST(TensorMapBits, PutThenGetGivesTheValueAndTouchesNothingElse) {
  for (const Field& field : tensor_map::tiled_fields) {
    TensorMapBytes map;
    map.fill(std::byte{0xa5});
    const TensorMapBytes before = map;
    put_raw(map, field, 0x5a5a5a5a5a5a5a5a);
    EXPECT_EQ(get_raw(map, field), 0x5a5a5a5a5a5a5a5a & low_bits(field.width())) << label(field);
    for (const Field& other : tensor_map::tiled_fields) {
      if (&other == &field) continue;
      EXPECT_EQ(get_raw(map, other), get_raw(before, other)) << label(field) << label(other);
    }
  }
}

TEST(TensorMapBits, SplitStrideHasItsHighBitsAt0x1C) {
  TensorMapBytes map = zeros();
  put(map, tensor_map::global_stride[1], 0xab'cdef'0120);
  EXPECT_EQ(get(map, tensor_map::global_stride[1]), 0xab'cdef'0120u);
  EXPECT_EQ(map[0x10], std::byte{0x12});
  EXPECT_EQ(map[0x11], std::byte{0xf0});
  EXPECT_EQ(map[0x12], std::byte{0xde});
  EXPECT_EQ(map[0x13], std::byte{0xbc});
  EXPECT_EQ(map[0x1c], std::byte{0xa0});
}

TEST(TensorMapBits, ViolationsNameTheField) {
  TensorMapBytes map = zeros();
  EXPECT_TRUE(violations(map, tensor_map::tiled_fields).empty());
  put_raw(map, tensor_map::rank, 5);
  map[0x1e] = std::byte{1};
  const auto found = violations(map, tensor_map::tiled_fields);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].field->name, "rank");
  EXPECT_EQ(found[1].field->kind, FieldKind::reserved);
  const std::string line = show(map, tensor_map::tiled_fields);
  EXPECT_NE(line.find("rank=6!"), std::string::npos) << line;
  EXPECT_NE(line.find("box_dim[0]=1"), std::string::npos) << line;
}

}  // namespace
}  // namespace assay::spec
