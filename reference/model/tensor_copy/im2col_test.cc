// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

const spec::Readings on_h200(spec::Arch::sm_90);

/// Sizes and positions in the order of the document's tuples, N H W C (TMA-AMB-01).
TensorCopyCase example(std::array<uint64_t, 4> size, int lower, int upper, uint32_t pixels, uint32_t channels,
                       std::array<int32_t, 4> start, std::array<uint16_t, 2> offset) {
  TensorCopyCase c;
  c.mode = CopyMode::im2col;
  TensorMapArgs& m = c.map;
  m.data_type = 6;
  m.rank = c.instruction_rank = 4;
  m.global_dim = {size[3], size[2], size[1], size[0]};
  uint64_t bytes = 2;
  for (uint32_t i = 0; i < 3; ++i) m.global_stride[i] = bytes *= m.global_dim[i];
  m.element_stride = {1, 1, 1, 1};
  c.map.lower = {lower, lower, 0};
  c.map.upper = {upper, upper, 0};
  c.map.pixels = pixels;
  c.map.channels = channels;
  c.coord = {start[3], start[2], start[1], start[0]};
  c.offset = {offset[0], offset[1], 0};
  return c;
}

std::string pixels_text(const TensorCopyCase& c, uint32_t first, uint32_t count) {
  const Im2colWalk walk(c, on_h200);
  std::string text;
  for (uint32_t p = first; p < first + count; ++p) {
    const Pixel pixel = walk.pixel(p);
    text += "(" + std::to_string(pixel.at[0]) + "," + std::to_string(pixel.at[1]) + "," +
            std::to_string(pixel.image) + ")";
  }
  return text;
}

uint32_t outside(const TensorCopyCase& c) {
  const Im2colWalk walk(c, on_h200);
  uint32_t count = 0;
  unsigned __int128 byte;
  for (uint32_t p = 0; p < c.map.pixels; ++p) count += !is_in_tensor(c, walk.pixel(p), byte);
  return count;
}

// The worked examples of PTX ISA, 5.5.4: sizes, corners, starts and offsets as they stand there; pixels
// (W, H, N) read off their figures and rows.
TEST(Im2colExamples, BoundingBoxOne) {
  const TensorCopyCase c = example({64, 14, 9, 64}, -1, -1, 64, 8, {7, 7, 4, 0}, {0, 0});
  EXPECT_EQ(pixels_text(c, 0, 5), "(4,7,7)(5,7,7)(6,7,7)(7,7,7)(-1,8,7)");
  EXPECT_EQ(pixels_text(c, 48, 2), "(7,12,7)(-1,-1,8)") << "the box ends at H 12; image 8 begins";
  EXPECT_EQ(pixels_text(c, 63, 1), "(4,0,8)");
  EXPECT_EQ(outside(c), 15u);
}

TEST(Im2colExamples, BoundingBoxTwo) {
  const TensorCopyCase c = example({64, 14, 9, 64}, 0, -2, 64, 8, {7, 7, 4, 0}, {2, 2});
  EXPECT_EQ(pixels_text(c, 0, 4), "(6,9,7)(7,9,7)(8,9,7)(2,10,7)");
  EXPECT_EQ(pixels_text(c, 63, 1), "(6,6,8)");
  EXPECT_EQ(outside(c), 0u);
}

TEST(Im2colExamples, TraversalStride) {
  TensorCopyCase c = example({64, 14, 8, 64}, -1, -1, 32, 16, {7, 7, 5, 0}, {1, 1});
  c.map.element_stride = {1, 2, 2, 1};
  EXPECT_EQ(pixels_text(c, 0, 3), "(6,8,7)(0,10,7)(2,10,7)");
  EXPECT_EQ(pixels_text(c, 31, 1), "(4,10,8)");
  EXPECT_EQ(outside(c), 0u);
}

/// One step after the other, as the text has it.
Pixel stepped(const TensorCopyCase& c, uint32_t number) {
  const TensorMapArgs& m = c.map;
  std::array<int64_t, 3> at{};
  int64_t image = c.coord[m.rank - 1];
  const uint32_t axes = spatial_axes(m.rank);
  for (uint32_t k = 0; k < axes; ++k) at[k] = c.coord[dimension_of_axis(m, k)];
  for (uint32_t p = 0; p < number; ++p) {
    uint32_t k = 0;
    for (; k < axes; ++k) {
      at[k] += m.element_stride[dimension_of_axis(m, k)];
      if (at[k] <= box_of(c.map, k).upper) break;
      at[k] = box_of(c.map, k).lower;
    }
    if (k == axes) image += m.element_stride[m.rank - 1];
  }
  const auto offsets = acting_offsets(c, on_h200);
  for (uint32_t k = 0; k < axes; ++k) at[k] += offsets[k];
  return {at, image};
}

TEST(Im2colWalk, AnyPixelIsThatOfTheSteps) {
  uint64_t state = 1;
  const auto below = [&](uint64_t n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int32_t>((state >> 33) % n);
  };
  for (int i = 0; i < 2000; ++i) {
    TensorCopyCase c;
    c.mode = CopyMode::im2col;
    TensorMapArgs& m = c.map;
    m.rank = static_cast<uint32_t>(3 + i % 3);
    m.interleave = i % 7 == 0 ? 1 : 0;
    for (uint32_t d = 0; d < m.rank; ++d) {
      m.global_dim[d] = static_cast<uint64_t>(1 + below(9));
      m.element_stride[d] = static_cast<uint32_t>(1 + below(8));
      c.coord[d] = below(5) - 2;
    }
    for (uint32_t k = 0; k < spatial_axes(m.rank); ++k) {
      c.map.lower[k] = below(6) - 3;
      c.map.upper[k] = c.map.lower[k] + below(5);
      const BoxEnds box = box_of(c.map, k);
      c.coord[dimension_of_axis(m, k)] =
          static_cast<int32_t>(box.lower + below(static_cast<uint64_t>(box.upper - box.lower + 1)));
      c.offset[k] = static_cast<uint16_t>(below(40));
    }
    const Im2colWalk walk(c, on_h200);
    for (uint32_t p = 0; p < 60; p += 1 + static_cast<uint32_t>(below(4))) {
      ASSERT_EQ(walk.pixel(p).at, stepped(c, p).at) << i << " " << p;
      ASSERT_EQ(walk.pixel(p).image, stepped(c, p).image) << i << " " << p;
    }
    uint32_t rows = 0;
    walk.for_stretches(60, [&](uint32_t row, const Pixel& pixel, uint32_t count) {
      EXPECT_EQ(row, rows) << i;
      rows += count;
      for (uint32_t j = 0; j < count; ++j) {
        Pixel along = pixel;
        along.at[0] += int64_t{j} * m.element_stride[dimension_of_axis(m, 0)];
        EXPECT_EQ(along.at, walk.pixel(row + j).at) << i << " " << row << " " << j;
        EXPECT_EQ(along.image, walk.pixel(row + j).image) << i << " " << row << " " << j;
      }
    });
    ASSERT_EQ(rows, 60u) << i;
  }
}

// H200, M-05: at rank 5 offsets carry into the next axis and the highest bit is lost, at rank 4 they are cut.
TEST(Im2colOffsets, BeyondTheirRange) {
  TensorCopyCase c;
  c.mode = CopyMode::im2col;
  using Offsets = std::array<uint32_t, 3>;
  c.map.rank = 5;
  c.offset = {32, 0, 0};
  EXPECT_EQ(acting_offsets(c, on_h200), (Offsets{0, 1, 0}));
  c.offset = {0, 32, 0};
  EXPECT_EQ(acting_offsets(c, on_h200), (Offsets{0, 0, 1}));
  c.offset = {0, 0, 32};
  EXPECT_EQ(acting_offsets(c, on_h200), (Offsets{0, 0, 0}));
  c.map.rank = 4;
  c.offset = {257, 511, 9};
  EXPECT_EQ(acting_offsets(c, on_h200), (Offsets{1, 255, 0}));
  c.map.rank = 3;
  c.offset = {65535, 1, 1};
  EXPECT_EQ(acting_offsets(c, on_h200), (Offsets{65535, 0, 0}));
}

/// A tensor whose 16-bit elements are their own numbers.
std::vector<std::byte> numbered(size_t elements) {
  std::vector<std::byte> memory(2 * elements);
  for (size_t i = 0; i < elements; ++i) {
    const auto value = static_cast<uint16_t>(i);
    std::memcpy(&memory[2 * i], &value, 2);
  }
  return memory;
}

TEST(Im2colLoad, BytesOfTheFirstExampleByHand) {
  TensorCopyCase c = example({10, 14, 9, 64}, -1, -1, 64, 8, {7, 7, 4, 0}, {0, 0});
  c.window_bytes = 64 * 128;
  c.map.swizzle = 3;
  const auto arena = numbered(10 * 14 * 9 * 64);
  std::vector<std::byte> window(c.window_bytes, std::byte{0xcd});
  const CopyPrediction prediction = predict_load(c, on_h200, arena, window, {});
  EXPECT_EQ(prediction.end, End::done);
  EXPECT_EQ(prediction.transaction_bytes, 64u * 16);
  const auto element = [&](uint32_t pixel, uint32_t channel) {
    // A pixel a line of 128 bytes; its only piece of 16 bytes changes place with the line's number.
    uint16_t value;
    std::memcpy(&value, &window[pixel * 128 + (pixel % 8) * 16 + channel * 2], 2);
    return value;
  };
  const auto number = [](int w, int h, int n, int channel) {
    return static_cast<uint16_t>(((n * 14 + h) * 9 + w) * 64 + channel);
  };
  EXPECT_EQ(element(0, 0), number(4, 7, 7, 0));
  EXPECT_EQ(element(3, 7), number(7, 7, 7, 7));
  EXPECT_EQ(element(4, 3), 0) << "W is -1";
  EXPECT_EQ(element(5, 3), number(0, 8, 7, 3));
  EXPECT_EQ(element(63, 1), number(4, 0, 8, 1));
  EXPECT_EQ(window[16], std::byte{0xcd}) << "between the pixels nothing is written";
}

TEST(Im2colStore, WritesWholePiecesOfChannelsAndNoPixelBehindTheLastImage) {
  TensorCopyCase c = example({1, 1, 3, 12}, 0, 0, 5, 16, {0, 0, 1, 0}, {0, 0});
  c.direction = CopyDirection::store;
  c.map.global_stride = {32, 96, 96};
  c.window_bytes = 5 * 32;
  const auto window = numbered(5 * 16);
  std::vector<std::byte> slot(128, std::byte{0xcd}), defined(128);
  ASSERT_EQ(predict_store(c, on_h200, window, slot, defined).end, End::done);
  for (size_t i = 0; i < 32; ++i) EXPECT_EQ(slot[i], std::byte{0xcd}) << "pixel 0 lies before the start";
  // 12 channels: the second piece of 16 bytes begins inside and is written in full.
  EXPECT_TRUE(std::equal(window.begin(), window.begin() + 64, slot.begin() + 32));
  for (size_t i = 96; i < 128; ++i) EXPECT_EQ(slot[i], std::byte{0xcd});
}

TEST(Im2colIssue, FaultsAsMeasured) {
  const auto end = [](auto change) {
    TensorCopyCase c = example({64, 14, 9, 64}, -1, -1, 64, 8, {7, 7, 4, 0}, {0, 0});
    change(c);
    spec::RuleSet rules;
    return end_of_issue(c, on_h200, rules);
  };
  using Case = TensorCopyCase;
  EXPECT_EQ(end([](Case&) {}), End::done);
  EXPECT_EQ(end([](Case& c) { c.coord[1] = -1; }), End::done);
  EXPECT_EQ(end([](Case& c) { c.coord[1] = -2; }), End::illegal_instruction);
  EXPECT_EQ(end([](Case& c) { c.coord[1] = 8; }), End::illegal_instruction);
  EXPECT_EQ(end([](Case& c) { c.coord[3] = -5; }), End::done) << "images may be missing";
  EXPECT_EQ(end([](Case& c) { c.coord[0] = 7; }), End::illegal_instruction);
  EXPECT_EQ(end([](Case& c) { c.coord[0] = -8; }), End::done);
  EXPECT_EQ(end([](Case& c) { c.tile_offset = 64; }), End::misaligned_address);
  EXPECT_EQ(end([](Case& c) { c.is_tile_instruction = true; }), End::illegal_instruction);
  EXPECT_EQ(end([](Case& c) { c.instruction_rank = 5; }), End::illegal_instruction);
  EXPECT_EQ(end([](Case& c) { c.direction = CopyDirection::store; }), End::illegal_instruction)
      << "corners that leave the tensor";
  const auto store = [&](int image) {
    return end([image](Case& c) {
      c.direction = CopyDirection::store;
      c.map.lower = c.map.upper = {0, 0, 0};
      c.coord[3] = image;
    });
  };
  EXPECT_EQ(store(99), End::done);
  EXPECT_EQ(store(-1), End::illegal_instruction);
}

}  // namespace
}  // namespace assay::model
