// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/fragments.h"

#include <gtest/gtest.h>
#include <functional>
#include <set>
#include <tuple>
#include <utility>

namespace assay::layout {
namespace {

// Anchors, read off the pictures of the documents.
TEST(Fragments, GoldenPlaces) {
  EXPECT_EQ(accumulator_place(0, 0), (MatrixPlace{0, 0}));
  EXPECT_EQ(accumulator_place(0, 3), (MatrixPlace{8, 1}));
  EXPECT_EQ(accumulator_place(5, 2), (MatrixPlace{9, 2}));
  EXPECT_EQ(accumulator_place(127, 127), (MatrixPlace{63, 255}));
  EXPECT_EQ(half_accumulator_place(37, 3, 1), (MatrixPlace{25, 11}));
  EXPECT_EQ(a_place(6, 1, 2), (MatrixPlace{9, 10}));
  EXPECT_EQ(a_place(6, 2, 0), (MatrixPlace{1, 24}));
  EXPECT_EQ(b_place(6, 1, 3), (MatrixPlace{1, 27}));
  EXPECT_EQ(f64_a_place(7, 3), (MatrixPlace{9, 7}));
  EXPECT_EQ(f64_b_place(7, 1), (MatrixPlace{1, 7}));
}

/// Every place of a rows x columns matrix exactly once.
void expect_bijection(int threads, int registers, int parts, int rows, int columns,
                      const std::function<MatrixPlace(int, int, int)>& place) {
  std::set<std::pair<int, int>> places;
  for (int thread = 0; thread < threads; ++thread)
    for (int r = 0; r < registers; ++r)
      for (int part = 0; part < parts; ++part) {
        const MatrixPlace one = place(thread, r, part);
        EXPECT_TRUE(one.row >= 0 && one.row < rows && one.column >= 0 && one.column < columns);
        EXPECT_TRUE(places.insert({one.row, one.column}).second) << thread << " " << r << " " << part;
      }
  EXPECT_EQ(places.size(), static_cast<size_t>(rows * columns));
}

TEST(Fragments, EveryElementHasOnePlace) {
  for (const int n : {8, 64, 256}) {
    expect_bijection(128, n / 2, 1, 64, n, [](int t, int r, int) { return accumulator_place(t, r); });
    expect_bijection(128, n / 4, 2, 64, n, half_accumulator_place);
  }
  expect_bijection(128, 4, 4, 64, 32, a_place);
  expect_bijection(32, 2, 4, 16, 16, a_place);
  for (const int registers : {1, 2, 4}) expect_bijection(32, registers, 4, 8, 16 * registers, b_place);
  for (const int k : {4, 8, 16}) {
    expect_bijection(32, k / 2, 1, 16, k, [](int t, int r, int) { return f64_a_place(t, r); });
    expect_bijection(32, k / 4, 1, 8, k, [](int t, int r, int) { return f64_b_place(t, r); });
  }
}

const DLayoutRow& layout_of(int m, int cta_group) {
  return *find_d_layout(m, cta_group, false, false);
}

// (cutlass, sm100_blockscaled_layout.hpp) A chunk of 128 rows by four scales is 32 rows of 16 bytes: byte
// (m mod 32) * 16 + (m div 32) * 4 + s mod 4, and a copy to four partitions puts 16 bytes into 4 columns.
TEST(Scales, AreWhereTheChunksOfLibrariesPutThem) {
  for (const auto& [m, cta_group] : {std::pair{128, 1}, std::pair{256, 2}})
    for (int row = 0; row < 128; ++row)
      for (int s = 0; s < 8; ++s) {
        const int byte = row % 32 * 16 + row / 32 * 4 + s % 4;
        const auto places = a_scale_places(layout_of(m, cta_group), row, s);
        ASSERT_EQ(places.size(), 4u);
        for (int p = 0; p < 4; ++p)
          ASSERT_EQ(places[static_cast<size_t>(p)],
                    (ScalePlace{32 * p + byte / 16, s / 4 * 4 + byte % 16 / 4, byte % 4}));
      }
}

TEST(Scales, OfMoreThan128ColumnsTakeEightColumnsAGroup) {
  const DLayoutRow& d = layout_of(128, 1);
  EXPECT_EQ(b_scale_places(d, 100, 128, 5)[0], (ScalePlace{4, 4 + 3, 1}));
  EXPECT_EQ(b_scale_places(d, 100, 136, 5)[0], (ScalePlace{4, 8 + 3, 1}));
  EXPECT_EQ(b_scale_places(d, 255, 256, 0)[3], (ScalePlace{127, 7, 0}));
}

TEST(Scales, OfALayoutWithHalvesLieInTheHalfOfTheirColumns) {
  const DLayoutRow& b = layout_of(128, 2);
  const auto upper = b_scale_places(b, 70, 96, 2);  // the 22nd column of the upper half
  ASSERT_EQ(upper.size(), 2u);
  EXPECT_EQ(upper[0], (ScalePlace{64 + 22, 0, 2}));
  EXPECT_EQ(upper[1], (ScalePlace{96 + 22, 0, 2}));
  EXPECT_EQ(b_scale_group(b, 256), 4);
  ScaleReadings everywhere;
  everywhere.halves_of_n = false;
  EXPECT_EQ(b_scale_places(b, 70, 96, 2, everywhere)[1], (ScalePlace{32 + 6, 2, 2}));
  EXPECT_EQ(b_scale_group(b, 256, everywhere), 8);
}

TEST(Scales, OfRowsOf64HaveThreeReadings) {
  const DLayoutRow& b = layout_of(128, 2);
  EXPECT_EQ(a_scale_places(b, 40, 6)[0], (ScalePlace{8, 4 + 1, 2}));
  EXPECT_EQ(a_scale_places(b, 40, 6, {.rows_of_64 = ScaleReadings::RowsOf64::two_columns})[0],
            (ScalePlace{8, 2 + 1, 2}));
  EXPECT_EQ(a_scale_places(b, 40, 6, {.rows_of_64 = ScaleReadings::RowsOf64::one_column})[1],
            (ScalePlace{96 + 8, 4, 2}));
}

TEST(Scales, NoTwoOfAnOperandShareAByte) {
  for (const auto& [m, cta_group] : {std::pair{128, 1}, std::pair{128, 2}, std::pair{256, 2}})
    for (const int n_count : {16, 96, 144, 256}) {
      std::set<std::tuple<int, int, int>> of_a, of_b;
      const DLayoutRow& layout = layout_of(m, cta_group);
      for (int s = 0; s < 8; ++s) {
        for (int row = 0; row < m / cta_group; ++row)
          for (const ScalePlace& at : a_scale_places(layout, row, s))
            EXPECT_TRUE(of_a.insert({at.lane, at.column, at.byte}).second);
        for (int n = 0; n < n_count; ++n)
          for (const ScalePlace& at : b_scale_places(layout, n, n_count, s))
            EXPECT_TRUE(of_b.insert({at.lane, at.column, at.byte}).second);
      }
    }
}

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
