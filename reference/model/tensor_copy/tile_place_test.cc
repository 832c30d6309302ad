// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/tiled_shape.h"

#include <gtest/gtest.h>

#include <optional>
#include <span>
#include <vector>

#include "reference/model/tensor_copy/random_case.h"
#include "reference/model/tensor_copy/slow.h"

namespace assay::model {
namespace {

/// `count` bits from bit `at` on.
uint64_t bits_at(std::span<const std::byte> bytes, uint64_t at, uint32_t count) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < count; ++i)
    value |= static_cast<uint64_t>(std::to_integer<unsigned>(bytes[(at + i) / 8]) >> (at + i) % 8 & 1) << i;
  return value;
}

/// First bit of an element in global memory by its coordinates; nothing for one that is outside.
std::optional<uint64_t> global_bit(const TensorCopyCase& copy, const TiledShape& shape,
                                   const spec::DataType& type, uint64_t row, uint32_t element) {
  const int64_t c0 = int64_t{copy.coord[0]} + element;
  if (c0 < 0 || c0 >= static_cast<int64_t>(copy.map.global_dim[0])) return std::nullopt;
  uint64_t bit = 8 * copy.map.global_address + static_cast<uint64_t>(c0) * type.bits;
  for (int i = 1; i < shape.rank; ++i) {
    const int64_t c = shape.start[i] + static_cast<int64_t>(row % shape.count[i]) * shape.step[i];
    row /= shape.count[i];
    if (c < 0 || c >= shape.extent[i]) return std::nullopt;
    bit += 8 * static_cast<uint64_t>(c) * shape.stride[i];
  }
  return bit;
}

// Every element of every load that is compared is found where the copy by its definition put it.
TEST(TilePlace, IsWhereTheSlowCopyPutsTheElement) {
  const std::vector<std::byte> arena = test_arena(11);
  RandomCase random(3);
  uint64_t compared = 0, by_type[16] = {}, by_swizzle[8] = {};
  for (int i = 0; i < 4000; ++i) {
    const spec::Arch arch = i % 2 == 0 ? spec::Arch::sm_100 : spec::Arch::sm_103;
    const spec::Readings readings(arch);
    TensorCopyCase copy = random.copy(arch);
    const spec::DataType& type = *spec::find_data_type(copy.map.data_type);
    const bool converts = type.tf32 || type.host == spec::host_type::f32_ftz;
    if (copy.direction != CopyDirection::load || copy.map.interleave != 0 || converts) continue;
    std::vector<std::byte> window(copy.window_bytes), defined(copy.window_bytes);
    slow_load(copy, readings, arena, window, defined);
    spec::RuleSet rules;
    const TiledShape shape = shape_of(copy, readings, rules);
    for (int sample = 0; sample < 200; ++sample) {
      const uint64_t row = random.below(shape.rows);
      const uint32_t element = random.below(copy.map.box_dim[0]);
      const auto from = global_bit(copy, shape, type, row, element);
      if (!from) continue;
      const TilePlace place = place_in_tile(shape, type, copy.tile_offset, row, element);
      ASSERT_EQ(bits_at(window, 8 * place.byte + static_cast<uint64_t>(place.bit), type.bits),
                bits_at(arena, *from, type.bits))
          << type.name << " row " << row << " element " << element;
      ++compared, ++by_type[type.host];
      ++by_swizzle[copy.map.swizzle == swizzle_96B ? 7 : copy.map.swizzle];
    }
  }
  EXPECT_GT(compared, 50'000u);
  for (const spec::DataType& type : spec::data_types) {
    const bool converts = type.tf32 || type.host == spec::host_type::f32_ftz;
    EXPECT_EQ(by_type[type.host] == 0, converts) << type.name;
  }
  for (const uint64_t swizzle : by_swizzle) EXPECT_GT(swizzle, 0u);
}

// Six-bit elements are stored from a byte each.
TEST(TilePlace, StoresOfSixBitElementsTakeAByteEach) {
  TensorCopyCase copy;
  copy.map.data_type = spec::host_type::b6x16_p32;
  copy.map.rank = 1;
  copy.map.global_dim = {128};
  copy.map.box_dim = {128};
  copy.map.element_stride = {1};
  const spec::Readings readings(spec::Arch::sm_100);
  spec::RuleSet rules;
  const spec::DataType& type = spec::data_types[spec::host_type::b6x16_p32];
  const TilePlace loaded = place_in_tile(shape_of(copy, readings, rules), type, 0, 0, 17);
  EXPECT_EQ(loaded.byte, 16u);
  EXPECT_EQ(loaded.bit, 6);
  copy.direction = CopyDirection::store;
  const TilePlace stored = place_in_tile(shape_of(copy, readings, rules), type, 0, 0, 17);
  EXPECT_EQ(stored.byte, 17u);
  EXPECT_EQ(stored.bit, 0);
}

}  // namespace
}  // namespace assay::model
