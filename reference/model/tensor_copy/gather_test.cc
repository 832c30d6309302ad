// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/copy.h"

#include <gtest/gtest.h>

#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

constexpr uint32_t rows = 10, row_bytes = 64;

/// 16 bytes of four of ten rows of 48 bytes, from byte 16 on; rows lie 64 bytes apart.
TensorCopyCase bytes_of(std::array<int32_t, 5> coord) {
  TensorCopyCase copy;
  copy.mode = CopyMode::gather4;
  TensorMapArgs& map = copy.map;
  map.rank = copy.instruction_rank = 2;
  map.global_dim = {48, rows};
  map.global_stride[0] = row_bytes;
  map.box_dim = {16, 1};
  map.element_stride.fill(1);
  copy.coord = coord;
  copy.window_bytes = 256;
  return copy;
}

/// Byte i of row r is 16 r + i mod 16, counted from where the tensor's columns begin.
std::vector<std::byte> tensor() {
  std::vector<std::byte> memory(rows * row_bytes);
  for (size_t i = 0; i < memory.size(); ++i)
    memory[i] = static_cast<std::byte>(i / row_bytes * 16 + i % row_bytes % 16);
  return memory;
}

const spec::Readings documented(spec::Arch::sm_100);

// The rows of Figure 10 in the order in which its start coordinates stand there.
TEST(Gather, RowsLieInTheOrderOfTheirCoordinates) {
  const TensorCopyCase copy = bytes_of({16, 2, 5, 0, 9});
  std::vector<std::byte> window(256, std::byte{0xee});
  const CopyPrediction prediction = predict_load(copy, documented, tensor(), window, {});
  EXPECT_EQ(prediction.end, End::done);
  EXPECT_EQ(prediction.transaction_bytes, 64u);
  constexpr int expected[] = {2, 5, 0, 9};
  for (int row = 0; row < 4; ++row)
    for (int i = 0; i < 16; ++i)
      EXPECT_EQ(std::to_integer<int>(window[16 * row + i]), 16 * expected[row] + i) << row << " " << i;
  for (int i = 64; i < 256; ++i) EXPECT_EQ(window[i], std::byte{0xee});
}

TEST(Gather, ARowMayComeTwiceAndOneOutsideIsFilledAndCounted) {
  const TensorCopyCase copy = bytes_of({32, 3, -1, 3, 10});
  std::vector<std::byte> window(256, std::byte{0xee});
  const CopyPrediction prediction = predict_load(copy, documented, tensor(), window, {});
  EXPECT_EQ(prediction.transaction_bytes, 64u);
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(std::to_integer<int>(window[i]), 48 + i);
    EXPECT_EQ(window[16 + i], std::byte{0});
    EXPECT_EQ(window[32 + i], window[i]);
    EXPECT_EQ(window[48 + i], std::byte{0});
  }
  EXPECT_TRUE(prediction.rules[spec::rule("GATH-R03")]);
}

TEST(Gather, NarrowRowsAreASpanApartUnderASwizzle) {
  TensorCopyCase copy = bytes_of({0, 4, 3, 2, 1});
  copy.map.swizzle = 3;
  copy.tile_offset = 128;
  copy.window_bytes = 1024;
  std::vector<std::byte> window(1024, std::byte{0xee});
  predict_load(copy, documented, tensor(), window, {});
  // Line y of 128 bytes has its piece at y xor 0.
  for (int row = 0; row < 4; ++row)
    EXPECT_EQ(std::to_integer<int>(window[128 * (1 + row) + 16 * (1 + row)]), 16 * (4 - row));
}

TEST(Scatter, EqualRowsAreThoseOfOneOfThem) {
  TensorCopyCase copy = bytes_of({0, 7, 2, 7, 7});
  copy.direction = CopyDirection::store;
  std::vector<std::byte> window(256), slot(rows * row_bytes, std::byte{0xaa}), defined(slot.size());
  for (size_t i = 0; i < window.size(); ++i) window[i] = static_cast<std::byte>(i / 16 == 2 ? i - 32 : i);
  const std::vector<std::byte> before = slot;
  const CopyPrediction prediction = predict_store(copy, documented, window, slot, defined);
  EXPECT_EQ(prediction.end, End::done);
  EXPECT_FALSE(prediction.all_defined);
  const std::vector<OpenSum> open = open_sums(copy, documented, window, before);
  ASSERT_EQ(open.size(), 16u);  // rows 0 and 2 are alike, row 3 is not
  for (size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(open[i].at, 7 * row_bytes + i);
    EXPECT_EQ(open[i].allowed, (std::vector<uint64_t>{i, 48 + i}));
    EXPECT_EQ(defined[7 * row_bytes + i], std::byte{0});
    EXPECT_EQ(std::to_integer<size_t>(slot[2 * row_bytes + i]), 16 + i);
  }
  EXPECT_EQ(defined[2 * row_bytes], std::byte{0xff});
  EXPECT_EQ(slot[7 * row_bytes + 16], std::byte{0xaa});
}

TEST(Scatter, RowsThatDifferLeaveNothingOpen) {
  TensorCopyCase copy = bytes_of({0, 7, 2, 8, 1});
  copy.direction = CopyDirection::store;
  std::vector<std::byte> window(256), slot(rows * row_bytes), defined(slot.size());
  EXPECT_TRUE(predict_store(copy, documented, window, slot, defined).all_defined);
}

TEST(Gather, FaultsOfMapAndCoordinates) {
  spec::RuleSet rules;
  TensorCopyCase copy = bytes_of({16, 2, 5, 0, 9});
  copy.map.box_dim[1] = 4;
  EXPECT_EQ(end_of_issue(copy, documented, rules), End::illegal_instruction);
  spec::Readings other(spec::Arch::sm_100);
  other.choose({"TMA-AMB-41", "height_ignored"});
  EXPECT_EQ(end_of_issue(copy, other, rules), End::done);
  copy = bytes_of({16, 2, 5, 0, 9});
  copy.map.rank = 1;
  EXPECT_EQ(end_of_issue(copy, documented, rules), End::illegal_instruction);
  copy = bytes_of({17, 2, 5, 0, 9});
  EXPECT_EQ(end_of_issue(copy, documented, rules), End::illegal_instruction);
  for (int operand = 0; operand < 5; ++operand) {
    copy = bytes_of({16, 2, 5, 0, 9});
    copy.coord[operand] = -16;
    EXPECT_EQ(end_of_issue(copy, documented, rules), End::done) << "a load may start outside";
    copy.direction = CopyDirection::store;
    EXPECT_EQ(end_of_issue(copy, documented, rules), End::illegal_instruction) << operand;
  }
}

TEST(Gather, TheOtherReadingOfTheCoordinatesHasOneRow) {
  spec::Readings other(spec::Arch::sm_100);
  other.choose({"TMA-AMB-21", "last_one"});
  const TensorCopyCase copy = bytes_of({0, 32, 16, 0, 6});
  std::vector<std::byte> window(256);
  EXPECT_EQ(predict_load(copy, other, tensor(), window, {}).end, End::done);
  for (int row = 0; row < 4; ++row) EXPECT_EQ(std::to_integer<int>(window[16 * row]), 16 * 6);
}

}  // namespace
}  // namespace assay::model
