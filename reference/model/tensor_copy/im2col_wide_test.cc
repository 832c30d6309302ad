// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "reference/model/tensor_copy/copy.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

/// Walks along W by hand; the worked examples of the document are rows of vectors_tma.csv.
namespace assay::model {
namespace {

const spec::Readings documented_of_wide(spec::Arch::sm_100);

/// A tensor of rank 4: 64 channels of 16 bits, W 5, H 3, four images.
TensorCopyCase load(CopyMode mode, int32_t lower, int32_t upper, uint32_t step, int32_t start,
                    uint32_t pixels) {
  TensorCopyCase copy;
  TensorMapArgs& map = copy.map;
  map.data_type = 1;
  map.rank = copy.instruction_rank = 4;
  map.swizzle = 3;
  map.global_dim = {64, 5, 3, 4};
  map.global_stride = {128, 640, 1920};
  map.element_stride = {1, step, 1, 1, 1};
  copy.map.wide = true;
  copy.map.wide_mode = mode == CopyMode::w_128;
  copy.map.lower[0] = lower;
  copy.map.upper[0] = upper;
  copy.map.channels = 64;
  copy.map.pixels = pixels;
  copy.mode = mode;
  copy.coord = {0, start, 2, 1};
  copy.window_bytes = 216 * 1024;
  return copy;
}

/// "3@1 4@1 0@2": W and image of each row.
std::string walked(const TensorCopyCase& copy, const spec::Readings& readings = documented_of_wide) {
  const Im2colWalk walk(copy, readings);
  std::string text;
  for (uint32_t row = 0; row < column_of(copy, readings).pixels; ++row) {
    const Pixel pixel = walk.pixel(row);
    EXPECT_EQ(pixel.at[1], 2) << "H stays";
    text += (row == 0 ? "" : " ") + (pixel.is_nowhere ? "-" : std::to_string(pixel.at[0])) + "@" +
            std::to_string(pixel.image);
  }
  return text;
}

TEST(Im2colWide, GoesOnAtTheLowerCornerOfTheNextImage) {
  EXPECT_EQ(walked(load(CopyMode::w, 0, 0, 1, 3, 8)), "3@1 4@1 0@2 1@2 2@2 3@2 4@2 0@3");
  EXPECT_EQ(walked(load(CopyMode::w, -1, -1, 3, -1, 4)), "-1@1 2@1 -1@2 2@2");
}

TEST(Im2colWide, AHaloContinuesTheColumn) {
  TensorCopyCase copy = load(CopyMode::w, 0, 0, 1, 3, 3);
  copy.w_halo = 2;
  EXPECT_EQ(walked(copy), "3@1 4@1 0@2 1@2 2@2");
  EXPECT_EQ(transaction_bytes(copy, column_of(copy, documented_of_wide), documented_of_wide), 5u * 128);
}

TEST(Im2colWide, AnOffsetMovesCornersAndStart) {
  TensorCopyCase copy = load(CopyMode::w, -1, 0, 2, -1, 6);
  EXPECT_EQ(walked(copy), "-1@1 1@1 3@1 -1@2 1@2 3@2");
  copy.w_offset = 1;
  EXPECT_EQ(walked(copy), "0@1 2@1 4@1 0@2 2@2 4@2");
}

TEST(Im2colWide, AStartLeftOfTheBoxStepsIntoIt) {
  EXPECT_EQ(walked(load(CopyMode::w, 1, 0, 2, -2, 5)), "-2@1 0@1 2@1 4@1 1@2");
  spec::RuleSet rules;
  EXPECT_EQ(end_of_issue(load(CopyMode::w, 1, 0, 2, -2, 5), documented_of_wide, rules), End::done);
  EXPECT_EQ(end_of_issue(load(CopyMode::w, 1, 0, 2, 5, 5), documented_of_wide, rules),
            End::illegal_instruction);
  EXPECT_TRUE(rules[spec::rule("IM2W-R07")]);
}

// Group g ends where group g + 1 begins, and its halo brings what that brings first.
TEST(Im2colWide, OneHundredAndTwentyEightPixelsWithAHaloBehindEvery32) {
  TensorCopyCase copy = load(CopyMode::w_128, 0, 0, 1, 0, 7);
  copy.map.global_dim[3] = 40;
  copy.w_halo = 3;
  const ColumnShape shape = column_of(copy, documented_of_wide);
  EXPECT_EQ(shape.pixels, 140u);
  EXPECT_EQ(transaction_bytes(copy, shape, documented_of_wide), 140u * 128);
  const Im2colWalk walk(copy, documented_of_wide);
  const auto place = [&](uint32_t row) {
    const Pixel pixel = walk.pixel(row);
    return (pixel.image - 1) * 5 + pixel.at[0];  // pixels walked so far: rows are 5 wide
  };
  for (uint32_t group = 0; group < 4; ++group)
    for (uint32_t i = 0; i < 35; ++i) EXPECT_EQ(place(35 * group + i), 32 * group + i) << group << " " << i;
  spec::Readings behind(spec::Arch::sm_100);
  behind.choose({"TMA-AMB-13", "behind_all_pixels"});
  const Im2colWalk plane(copy, behind);
  EXPECT_EQ(plane.pixel(127).at[0], 127 % 5);
  EXPECT_EQ(plane.pixel(128).at[0], 32 % 5) << "halo pixel 0 of group 0";
  EXPECT_EQ(plane.pixel(129).at[0], 64 % 5) << "of group 1";
  EXPECT_EQ(plane.pixel(132).at[0], 33 % 5) << "halo pixel 1 of group 0";
}

TEST(Im2colWide, RivalReadings) {
  spec::Readings other(spec::Arch::sm_100);
  other.choose({"TMA-AMB-14", "nowhere"});
  EXPECT_EQ(walked(load(CopyMode::w, 0, 0, 1, 3, 4), other), "3@1 4@1 -@2 -@2");
  TensorCopyCase copy = load(CopyMode::w, 0, 0, 1, 3, 4);
  copy.map.element_stride[3] = 2;
  EXPECT_EQ(walked(copy), "3@1 4@1 0@2 1@2");
  spec::Readings strides(spec::Arch::sm_100);
  strides.choose({"TMA-AMB-42", "images_too"});
  EXPECT_EQ(walked(copy, strides), "3@1 4@1 0@3 1@3");
}

TEST(Im2colWide, MapsOfAnotherModeFault) {
  spec::RuleSet rules;
  TensorCopyCase copy = load(CopyMode::w, 0, 0, 1, 3, 4);
  copy.map.wide_mode = 1;
  EXPECT_EQ(end_of_issue(copy, documented_of_wide, rules), End::illegal_instruction);
  spec::Readings takes(spec::Arch::sm_100);
  takes.choose({"TMA-AMB-43", "mode_of_instruction"});
  EXPECT_EQ(end_of_issue(copy, takes, rules), End::undefined) << "the map has no count of pixels";
  copy = load(CopyMode::w_128, 0, 0, 1, 3, 4);
  copy.map.wide_mode = 0;
  EXPECT_EQ(end_of_issue(copy, takes, rules), End::done);
  copy = load(CopyMode::w, 0, 0, 1, 3, 4);
  copy.map.wide = false;
  EXPECT_EQ(end_of_issue(copy, documented_of_wide, rules), End::illegal_instruction);
  copy = load(CopyMode::w, 0, 0, 1, 3, 4);
  copy.mode = CopyMode::im2col;
  EXPECT_EQ(end_of_issue(copy, documented_of_wide, rules), End::illegal_instruction);
  copy = load(CopyMode::w_128, 0, 0, 1, 3, 4);
  copy.w_halo = 32;
  EXPECT_EQ(end_of_issue(copy, documented_of_wide, rules), End::undefined);
}

TEST(CtaPair, TheCtaOfTheBarriersParityIsSignalledForBothOfItsPair) {
  // Cluster of 4, ranks 0, 1 and 3 receive.
  constexpr uint32_t mask = 0b1011;
  for (const uint32_t named : {0u, 2u}) {
    EXPECT_EQ(destinations_signalled(2, mask, 0, named), 2u);
    EXPECT_EQ(destinations_signalled(2, mask, 1, named), 0u);
    EXPECT_EQ(destinations_signalled(2, mask, 2, named), 1u);
    EXPECT_EQ(destinations_signalled(2, mask, 3, named), 0u);
  }
  EXPECT_EQ(destinations_signalled(2, mask, 3, 1), 1u);
  EXPECT_EQ(destinations_signalled(1, mask, 3, 0), 1u);
  EXPECT_EQ(destinations_signalled(0, mask, 2, 0), 0u);
}

}  // namespace
}  // namespace assay::model
