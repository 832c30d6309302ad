// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/sparsity.h"

#include <gtest/gtest.h>

#include <set>

namespace assay::layout {
namespace {

TEST(Sparsity, ACodeNamesTwoOfFour) {
  const SparsityRow& row = sparsity_of(spec::format("f16"), false);
  EXPECT_EQ(met_element(row, 0b1001, 0), 1);
  EXPECT_EQ(met_element(row, 0b1001, 1), 2);
  EXPECT_EQ(met_element(row, 0b0110, 0), 2);
  EXPECT_EQ(met_element(row, 0b0110, 1), 1);
  EXPECT_TRUE(is_listed_code(row, 0b1110));
  EXPECT_FALSE(is_listed_code(row, 0b0000));
}

TEST(Sparsity, ACodeNamesPairsOfFourBits) {
  const SparsityRow& row = sparsity_of(spec::format("e2m1"), true);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(met_element(row, 0b1101, i), i < 2 ? 2 + i : 4 + i);
  // In a byte of its own each a 4-bit element is one of four.
  EXPECT_EQ(sparsity_of(spec::format("e2m1"), false).chunk, 4);
}

TEST(Sparsity, Tf32KeepsOneOfTwo) {
  const SparsityRow& row = sparsity_of(spec::format("tf32"), false);
  EXPECT_EQ(met_element(row, 0b0100, 0), 0);
  EXPECT_EQ(met_element(row, 0b1110, 0), 1);
  EXPECT_EQ(met_halves(0b0100, 0x11112222, 0x33334444), 0x11112222u);
  EXPECT_EQ(met_halves(0b1110, 0x11112222, 0x33334444), 0x33334444u);
  EXPECT_EQ(met_halves(0b0010, 0x11112222, 0x33334444), 0x22224444u);
}

/// No two bits of the rows of a CTA share a place, and each has one in each group of lanes.
TEST(Sparsity, MetadataOfALayoutDoesNotOverlap) {
  for (const DLayoutRow& layout : d_layouts) {
    if (layout.sparse == false) continue;
    for (const bool interleaved : {true, false})
      for (const int base : layout.half_of_lanes ? std::vector<int>{0, 16} : std::vector<int>{0}) {
        std::set<std::tuple<int, int, int>> seen;
        const int bits = interleaved ? 32 : 64, rows = layout.m / layout.cta_group;
        for (int fold = 0; fold < layout.folds; ++fold)
          for (int row = 0; row < rows; ++row)
            for (int b = 0; b < bits; ++b) {
              const TmemPlace at = metadata_place(layout, interleaved, 1, row, b, fold, base);
              EXPECT_LT(at.lane, 128);
              EXPECT_EQ(at.column, interleaved ? 1 : b / 32);
              seen.emplace(at.lane, at.column, at.bit);
            }
        EXPECT_EQ(seen.size(), static_cast<size_t>(bits * rows * layout.folds)) << layout.letter;
      }
  }
}

TEST(Sparsity, MetadataOfSixteenBitsIsInterleaved) {
  const DLayoutRow& d = *find_d_layout(128, 1, false, true);
  EXPECT_EQ(metadata_place(d, true, 0, 21, 18, 0), (TmemPlace{0, 16 + 5 + 8, 0, 2}));
  EXPECT_EQ(metadata_place(d, true, 1, 29, 3, 0), (TmemPlace{0, 16 + 5, 1, 19}));
  EXPECT_EQ(metadata_place(d, false, 0, 29, 35, 0), (TmemPlace{0, 29, 1, 3}));
  const DLayoutRow& f = *find_d_layout(64, 1, false, true);
  EXPECT_EQ(metadata_place(f, true, 0, 21, 18, 0, 16), (TmemPlace{0, 16 + 32 + 5 + 8, 0, 2}));
}

}  // namespace
}  // namespace assay::layout
