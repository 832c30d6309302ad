// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_map/arguments.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reference/model/tensor_map/encode.h"
#include "reference/spec/rules.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::model {
namespace {

namespace bits = spec::tensor_map;

Im2colMapArgs some_map(uint32_t rank) {
  Im2colMapArgs map;
  map.rank = rank;
  map.data_type = 6;  // f16
  map.global_address = 4096;
  map.global_dim = {64, 20, 10, 6, 4};
  map.global_stride = {128, 4096, 65536, 1 << 20};
  map.element_stride.fill(1);
  map.swizzle = 3;
  map.channels = 64;
  map.pixels = 32;
  for (uint32_t k = 0; k < spatial_axes(rank); ++k)
    map.lower[k] = -1 - static_cast<int32_t>(k), map.upper[k] = 2;
  return map;
}

/// By hand: what the emulated driver puts where, spec/tensor_map_bits.h.
spec::TensorMapBytes wide_map(uint32_t rank, bool is_128, int lower, int upper) {
  Im2colMapArgs map = some_map(rank);
  map.lower = map.upper = {};
  spec::TensorMapBytes bytes = encode_im2col_map(map, spec::Readings(spec::Arch::sm_90));
  bytes[0x08] |= static_cast<std::byte>(is_128 ? 6 : 2);
  bytes[0x38] = static_cast<std::byte>(lower), bytes[0x39] = static_cast<std::byte>(lower >> 8);
  bytes[0x3a] = static_cast<std::byte>(upper), bytes[0x3b] = static_cast<std::byte>(upper >> 8);
  return bytes;
}

TEST(MapArguments, OfIm2colMapsAreThoseThatTheyWereEncodedFrom) {
  for (const uint32_t rank : {3, 4, 5}) {
    const Im2colMapArgs map = some_map(rank);
    const MapArguments read = arguments_of(encode_im2col_map(map, spec::Readings(spec::Arch::sm_90)));
    EXPECT_TRUE(read.is_im2col);
    EXPECT_EQ(read.map.lower, map.lower) << rank;
    EXPECT_EQ(read.map.upper, map.upper) << rank;
    EXPECT_EQ(read.map.channels, map.channels);
    EXPECT_EQ(read.map.pixels, map.pixels);
  }
}

TEST(MapArguments, OfWideMapsHaveTheCornersOfWIn16Bits) {
  for (const uint32_t rank : {3, 4, 5})
    for (const bool is_128 : {false, true}) {
      const spec::TensorMapBytes bytes = wide_map(rank, is_128, -300, 255);
      const MapArguments read = arguments_of(bytes, spec::Readings(spec::Arch::sm_100));
      EXPECT_TRUE(read.map.wide);
      EXPECT_EQ(read.map.wide_mode, is_128 ? 1u : 0u);
      EXPECT_EQ(read.map.lower, (std::array<int32_t, 3>{-300, 0, 0})) << rank;
      EXPECT_EQ(read.map.upper, (std::array<int32_t, 3>{255, 0, 0})) << rank;
      // On an H200 the bits mean nothing.
      EXPECT_FALSE(arguments_of(bytes, spec::Readings(spec::Arch::sm_90)).map.wide);
      EXPECT_FALSE(arguments_of(bytes).map.wide);
    }
}

TEST(DescribeMap, WideMapsAreReadAndHeldAgainstTheirRules) {
  const spec::TensorMapBytes good = wide_map(4, true, -3, 2);
  const std::string text = describe_map(good, spec::Arch::sm_100, false);
  EXPECT_NE(text.find("im2col::w::128 tensor map\n"), std::string::npos) << text;
  EXPECT_NE(text.find("lower_corner[0]      -3 "), std::string::npos) << text;
  EXPECT_NE(text.find("no document tells"), std::string::npos) << text;
  EXPECT_NE(text.find("no violation on sm_100"), std::string::npos) << text;
  const auto json = nlohmann::json::parse(describe_map(good, spec::Arch::sm_100, true));
  EXPECT_EQ(json.at("mode"), "im2col::w::128");
  EXPECT_TRUE(json.at("violations").empty());

  spec::TensorMapBytes wrong = wide_map(4, false, -3, 2);
  put_raw(wrong, bits::swizzle_width, 1);
  EXPECT_NE(describe_map(wrong, spec::Arch::sm_100, false).find("violates V-38"), std::string::npos);
  put_raw(wrong, bits::interleave, 1);
  EXPECT_NE(describe_map(wrong, spec::Arch::sm_100, false).find("violates V-39"), std::string::npos);
  // The same words on an H200 are those of a plain map.
  EXPECT_EQ(describe_map(good, spec::Arch::sm_90, false).find("im2col tensor map\n"), 0u);
}

TEST(DescribeMap, SaysWhichRuleRefusesAnIm2colMap) {
  const auto violations = [](const Im2colMapArgs& map) {
    return describe_map(encode_im2col_map(map, spec::Readings(spec::Arch::sm_90)), spec::Arch::sm_90, false);
  };
  Im2colMapArgs map = some_map(4);
  EXPECT_NE(violations(map).find("no violation on sm_90"), std::string::npos) << violations(map);
  map.lower[0] = 30;  // beyond the last column
  EXPECT_NE(violations(map).find("violates V-34"), std::string::npos) << violations(map);
  map = some_map(4);
  map.channels = 3;
  EXPECT_NE(violations(map).find("violates V-35"), std::string::npos) << violations(map);
  map = some_map(4);
  map.data_type = 1, map.oob_fill = 1;  // u16
  EXPECT_NE(violations(map).find("violates V-27"), std::string::npos) << violations(map);
}

}  // namespace
}  // namespace assay::model
