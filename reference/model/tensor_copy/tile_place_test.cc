// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "reference/model/tensor_copy/copy.h"
#include "reference/model/tensor_copy/random_case.h"
#include "reference/model/tensor_copy/slow.h"
#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/model/tensor_map/legality.h"
#include "reference/spec/questions.h"

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

// Copies by several lanes, held against bytes that are placed by hand.

using Bytes = std::vector<std::byte>;

/// Byte i is i mod 251: no two places that are looked at here hold the same 16 bytes.
Bytes counted(size_t size) {
  Bytes bytes(size);
  for (size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i % 251);
  return bytes;
}
Bytes part(const Bytes& from, size_t at, size_t size) {
  return {from.begin() + static_cast<ptrdiff_t>(at), from.begin() + static_cast<ptrdiff_t>(at + size)};
}

/// u8, 32 x 4 in rows of 32 bytes, box 16 x 1: lanes 0 and 2 by the map, lane 1 by one that begins 1,024
/// bytes further and has two rows.
TensorCopyCase three_lanes(CopyDirection direction) {
  TensorCopyCase copy;
  copy.map.data_type = 0;
  copy.map.rank = copy.instruction_rank = 2;
  copy.map.global_dim = {32, 4};
  copy.map.global_stride = {32};
  copy.map.box_dim = {16, 1};
  copy.map.element_stride = {1, 1, 1, 1, 1};
  copy.direction = direction;
  copy.window_bytes = 512;
  copy.slot_bytes = 2048;
  copy.lanes = 3, copy.lane_pitch = 128;
  copy.lane_step = {0, 1};
  copy.coord = {16, 1};
  copy.other_map_lanes = 2, copy.other_map_address = 1024, copy.other_map_less = 2;
  return copy;
}

TEST(Lanes, EachLoadsByItsOwnMap) {
  const Bytes arena = counted(4096);
  Bytes window(512);
  const TensorCopyCase copy = three_lanes(CopyDirection::load);
  const CopyPrediction made = predict_load(copy, spec::Readings(spec::Arch::sm_90), arena, window, {});
  EXPECT_EQ(made.end, End::done);
  EXPECT_EQ(made.transaction_bytes, 48u);
  EXPECT_EQ(part(window, 0, 16), part(arena, 32 + 16, 16));
  EXPECT_EQ(part(window, 128, 16), Bytes(16)) << "row 2 of two";
  EXPECT_EQ(part(window, 256, 16), part(arena, 96 + 16, 16));
  TensorCopyCase higher = copy;
  higher.coord[1] = 0;
  predict_load(higher, spec::Readings(spec::Arch::sm_90), arena, window, {});
  EXPECT_EQ(part(window, 128, 16), part(arena, 1024 + 32 + 16, 16));
}

TEST(Lanes, EachStoresByItsOwnMap) {
  const Bytes window = counted(512);
  Bytes slot(2048), expected(2048);
  TensorCopyCase copy = three_lanes(CopyDirection::store);
  copy.coord[1] = 0;
  EXPECT_EQ(predict_store(copy, spec::Readings(spec::Arch::sm_90), window, slot, {}).end, End::done);
  std::copy_n(window.begin(), 16, expected.begin() + 16);
  std::copy_n(window.begin() + 128, 16, expected.begin() + 1024 + 32 + 16);
  std::copy_n(window.begin() + 256, 16, expected.begin() + 64 + 16);
  EXPECT_EQ(slot, expected);
}

TEST(Lanes, OnlyBytesThatTwoReduceAreOpen) {
  const spec::Readings readings(spec::Arch::sm_90);
  TensorCopyCase copy = three_lanes(CopyDirection::store);
  copy.coord[1] = 0;
  Bytes defined(2048, std::byte{0xff}), expected = defined;
  open_what_lanes_share(copy, readings, defined);
  EXPECT_EQ(defined, expected) << "each to a row of its own";
  copy.lane_step = {0, 0}, copy.other_map_lanes = 0;
  open_what_lanes_share(copy, readings, defined);
  std::fill_n(expected.begin() + 16, 16, std::byte{0});
  EXPECT_EQ(defined, expected);
}

/// u8, 16 channels, 8 pixels in a row, columns of two pixels.
TEST(Lanes, EachLoadsAnIm2colColumnByItsOwnMap) {
  TensorCopyCase copy;
  copy.mode = CopyMode::im2col;
  TensorMapArgs& base = copy.map;
  base.data_type = 0;
  base.rank = copy.instruction_rank = 3;
  base.global_dim = {16, 8, 4};
  base.global_stride = {16, 128};
  base.element_stride = {1, 1, 1, 1, 1};
  copy.map.channels = 16, copy.map.pixels = 2;
  copy.window_bytes = 512;
  copy.lanes = 2, copy.lane_pitch = 128;
  copy.lane_step = {0, 3, 1};
  copy.other_map_lanes = 2, copy.other_map_address = 2048;
  copy.coord = {0, 1, 2};
  const Bytes arena = counted(8192);
  Bytes window(512);
  const CopyPrediction made = predict_load(copy, spec::Readings(spec::Arch::sm_90), arena, window, {});
  EXPECT_EQ(made.end, End::done);
  EXPECT_EQ(made.transaction_bytes, 64u);
  EXPECT_EQ(made.armed, 64);
  EXPECT_EQ(part(window, 0, 32), part(arena, 2 * 128 + 16, 32));
  EXPECT_EQ(part(window, 128, 32), part(arena, 2048 + 3 * 128 + 4 * 16, 32));
}

/// The case with one thing changed, most often its place.
TensorCopyCase beside(RandomCase& random, TensorCopyCase copy) {
  TensorMapArgs& map = copy.map;
  switch (random.below(10)) {
    case 0:
      map.box_dim[random.below(5)] += 1;
      break;
    case 1:
      map.global_dim[random.below(5)] += 1;
      break;
    case 2:
      map.global_stride[random.below(4)] ^= 8;
      break;
    case 3:
      map.element_stride[random.below(5)] += 1;
      break;
    case 4:
      copy.coord[random.below(5)] -= 16;
      break;
    case 5:
      copy.direction = is_store(copy) ? CopyDirection::load : CopyDirection::store;
      break;
    default:
      map.global_address ^= 8u << random.below(6);
      map.l2_promotion = random.below(5);
      map.oob_fill = random.below(3);
      copy.cache_hint = random.one_in(2);
  }
  return copy;
}

// A map is asked about behind one much like it, and behind another.
TEST(Kept, WhatIsKeptOfAMapIsThatOfTheCase) {
  RandomCase random(5);
  uint64_t legal = 0, consulting = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto arch = static_cast<spec::Arch>(i % spec::arch_count);
    const TensorCopyCase first = random.copy(arch), second = beside(random, first);
    spec::Readings readings(arch), fresh(arch);
    const auto asked = static_cast<spec::QuestionIndex>(random.below(spec::questions().size()));
    const spec::Question& question = spec::questions()[asked];
    const char letter = question.readings[random.below(question.reading_count())].letter;
    readings.choose(asked, letter), fresh.choose(asked, letter);
    kept_tile(first, i % 2 == 0 ? readings : spec::Readings(arch));
    readings.forget_consulted();
    const KeptTile& tile = kept_tile(second, readings);
    const bool is_legal = tile.is_legal && is_legal_in_place(second.map, readings, second.direction);
    ASSERT_EQ(is_legal, broken_map_rules(second.map, fresh, second.direction).none()) << i;
    if (tile.is_legal) {
      ASSERT_EQ(readings.consulted(), fresh.consulted()) << i;
    }
    consulting += fresh.consulted().any();
    if (!is_legal) continue;
    ++legal;
    spec::RuleSet rules, right;
    TensorCopyCase aligned = second;
    aligned.tile_offset = 0;
    ASSERT_EQ(tile.end, end_of_issue(aligned, fresh, right)) << i;
    ASSERT_EQ(tile.rules_of_issue, right) << i;
    readings.look_again(tile.for_issue);
    ASSERT_EQ(readings.consulted(), fresh.consulted()) << i;
    right.reset(), readings.forget_consulted(), fresh.forget_consulted();
    const TiledShape &shape = shape_of(tile, second, readings, rules), slow = shape_of(second, fresh, right);
    ASSERT_EQ(rules, right) << i;
    ASSERT_EQ(readings.consulted(), fresh.consulted()) << i;
    ASSERT_EQ(shape.shared_bytes, slow.shared_bytes) << i;
    ASSERT_EQ(std::tie(shape.first, shape.end, shape.pitch, shape.start, shape.unit_shared),
              std::tie(slow.first, slow.end, slow.pitch, slow.start, slow.unit_shared))
        << i;
  }
  EXPECT_GT(legal, 5000u);
  EXPECT_GT(consulting, 1000u);
}

}  // namespace
}  // namespace assay::model
