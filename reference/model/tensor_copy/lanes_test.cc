// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "reference/model/tensor_copy/slow.h"
#include "reference/spec/questions.h"

// Copies by several lanes, held against bytes that are placed by hand.
namespace assay::model {
namespace {

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

}  // namespace
}  // namespace assay::model
