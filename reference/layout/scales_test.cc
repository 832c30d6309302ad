// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/scales.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

namespace assay::layout {
namespace {

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

}  // namespace
}  // namespace assay::layout
