// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/tmem.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace assay::layout {
namespace {

const DLayoutRow& by_letter(char letter) {
  return d_layouts[static_cast<size_t>(letter - 'A')];
}

// Anchors, read off the documents' pictures and public kernels, not computed by the formulas.
TEST(TensorMemory, GoldenPlacesOfD) {
  struct Golden {
    char letter;
    int m, n, n_count, lane_base;
    TmemPlace place;
  };
  const Golden rows[] = {
      {'A', 127, 9, 256, 0, {0, 127, 9}},
      {'A', 128, 9, 256, 0, {1, 0, 9}},
      {'A', 255, 255, 256, 0, {1, 127, 255}},
      {'B', 0, 64, 128, 0, {0, 64, 0}},
      {'B', 63, 63, 128, 0, {0, 63, 63}},
      {'B', 64, 127, 128, 0, {1, 64, 63}},
      {'C', 17, 5, 64, 0, {0, 33, 5}},
      {'C', 17, 5, 64, 16, {0, 49, 5}},
      {'C', 127, 0, 64, 0, {1, 111, 0}},
      {'D', 100, 200, 256, 0, {0, 100, 200}},
      {'E', 5, 32, 64, 0, {0, 69, 0}},
      {'E', 63, 31, 64, 0, {0, 63, 31}},
      {'F', 15, 3, 8, 0, {0, 15, 3}},
      {'F', 16, 3, 8, 0, {0, 32, 3}},
      {'F', 63, 3, 8, 16, {0, 127, 3}},
      // M of 32: warp w reads columns 16w to 16w + 15 of N = 64 at column offset 0.
      {'G', 7, 0, 64, 0, {0, 7, 0}},
      {'G', 7, 16, 64, 0, {0, 39, 0}},
      {'G', 31, 63, 64, 0, {0, 127, 15}},
  };
  for (const Golden& row : rows) {
    const TmemPlace place = d_place(by_letter(row.letter), row.m, row.n, row.n_count, row.lane_base);
    EXPECT_EQ(place, row.place) << row.letter << " " << row.m << " " << row.n << ": CTA " << place.cta
                                << " lane " << place.lane << " column " << place.column;
  }
}

TEST(TensorMemory, FormsChooseTheLayoutOfTheTable) {
  const auto letter = [](int m, int cta_group, bool ws, bool sparse) {
    const DLayoutRow* row = find_d_layout(m, cta_group, ws, sparse);
    return row == nullptr ? '-' : row->letter;
  };
  EXPECT_EQ(letter(256, 2, false, false), 'A');
  EXPECT_EQ(letter(256, 2, false, true), 'A');
  EXPECT_EQ(letter(128, 2, false, false), 'B');
  EXPECT_EQ(letter(128, 2, false, true), 'C');
  EXPECT_EQ(letter(128, 1, false, false), 'D');
  EXPECT_EQ(letter(128, 1, true, false), 'D');
  EXPECT_EQ(letter(64, 1, true, true), 'E');
  EXPECT_EQ(letter(64, 1, false, false), 'F');
  EXPECT_EQ(letter(32, 1, true, false), 'G');
  EXPECT_EQ(letter(32, 1, false, false), '-');
  EXPECT_EQ(letter(64, 2, false, false), '-');
}

TEST(TensorMemory, NoTwoElementsOfDShareACellAndAllLanesAreInRange) {
  for (const DLayoutRow& row : d_layouts)
    for (const int n_count : {64, 128, 256}) {
      std::set<std::tuple<int, int, int>> cells;
      for (int m = 0; m < row.m; ++m)
        for (int n = 0; n < n_count; ++n) {
          const TmemPlace place = d_place(row, m, n, n_count, row.half_of_lanes ? 16 : 0);
          EXPECT_TRUE(cells.insert({place.cta, place.lane, place.column}).second) << row.letter;
          EXPECT_TRUE(place.lane >= 0 && place.lane < 128 && place.cta < row.cta_group) << row.letter;
          EXPECT_LT(place.column, d_columns(row, n_count));
        }
    }
}

// Whoever computes D element (m, n) reads A row m from its own lanes.
TEST(TensorMemory, ALiesInEveryGroupOfLanesThatHoldsItsRowOfD) {
  for (const DLayoutRow& row : d_layouts)
    for (int m = 0; m < row.m; m += 7) {
      std::set<std::pair<int, int>> of_a, of_d;
      for (const TmemPlace& place : a_places(row, {16, false}, m, 3)) of_a.insert({place.cta, place.lane});
      for (int n = 0; n < 64; ++n) {
        const TmemPlace place = d_place(row, m, n, 64);
        of_d.insert({place.cta, place.lane});
      }
      EXPECT_EQ(of_a, of_d) << row.letter;
    }
}

TEST(TensorMemory, GoldenPlacesOfA) {
  const DLayoutRow& plain = by_letter('D');
  EXPECT_EQ(a_places(plain, {16, false}, 9, 5), (std::vector<TmemPlace>{{0, 9, 2, 16}}));
  EXPECT_EQ(a_places(plain, {32, false}, 9, 7), (std::vector<TmemPlace>{{0, 9, 7, 0}}));
  EXPECT_EQ(a_places(plain, {8, false}, 0, 31), (std::vector<TmemPlace>{{0, 0, 7, 24}}));
  EXPECT_EQ(a_places(plain, {6, true}, 0, 5), (std::vector<TmemPlace>{{0, 0, 1, 8}}));
  EXPECT_EQ(a_places(plain, {4, true}, 0, 5), (std::vector<TmemPlace>{{0, 0, 1, 10}}));
  EXPECT_EQ(a_places(plain, {4, true}, 0, 5, 0, NibblePlace::low), (std::vector<TmemPlace>{{0, 0, 1, 8}}));
  EXPECT_EQ(a_places(plain, {4, false}, 0, 95), (std::vector<TmemPlace>{{0, 0, 11, 28}}));
  EXPECT_EQ(a_places(by_letter('G'), {8, false}, 3, 4).size(), 4u);
  EXPECT_EQ(a_places(by_letter('G'), {8, false}, 3, 4)[2], (TmemPlace{0, 67, 1, 0}));
}

// Every cell of the block that a shape names is in exactly one register of one thread.
TEST(TmemAccess, RegistersTileTheBlock) {
  for (uint32_t shape = 0; shape < tmem_shapes.size(); ++shape)
    for (int count = 1; count <= 4; count *= 2) {
      const int split = shape == 4 ? count : 0;
      std::set<std::pair<int, int>> seen;
      const int registers = tmem_shapes[shape].registers_per_count * count;
      for (int thread = 0; thread < 32; ++thread)
        for (int r = 0; r < registers; ++r) {
          const TmemRegisterPlace place = tmem_register_place(shape, thread, r, 1, split);
          EXPECT_TRUE(seen.insert({place.lane, place.column}).second);
          EXPECT_LT(place.lane, tmem_shapes[shape].lanes);
          EXPECT_LT(place.column, tmem_access_columns(shape, count, 1, split));
        }
      EXPECT_EQ(static_cast<int>(seen.size()),
                tmem_shapes[shape].lanes * tmem_access_columns(shape, count, 1, split));
    }
}

// Copied by hand from the layouts of the copy instructions in public kernels.
TEST(TmemAccess, PlacesAsTheKernelsOfLibrariesExpectThem) {
  EXPECT_EQ(tmem_register_place(0, 5, 3, 1, 0), (TmemRegisterPlace{9, 6}));
  EXPECT_EQ(tmem_register_place(0, 2, 0, 1, 0), (TmemRegisterPlace{0, 1}));
  EXPECT_EQ(tmem_register_place(1, 7, 3, 1, 0), (TmemRegisterPlace{9, 7}));
  EXPECT_EQ(tmem_register_place(2, 31, 3, 1, 0), (TmemRegisterPlace{15, 7}));
  EXPECT_EQ(tmem_register_place(2, 1, 5, 1, 0), (TmemRegisterPlace{0, 11}));
  EXPECT_EQ(tmem_register_place(3, 31, 9, 2, 0), (TmemRegisterPlace{31, 18}));
  EXPECT_EQ(tmem_register_place(4, 17, 1, 2, 64), (TmemRegisterPlace{1, 66}));
}

using Lanes = std::vector<int>;

// Rows as the documents' prose has them, written out.
TEST(TmemCopy, RowsGoWhereTheShapesSay) {
  EXPECT_EQ(tmem_copy_lanes(0, 77), Lanes({77}));
  EXPECT_EQ(tmem_copy_lanes(1, 0), Lanes({0}));
  EXPECT_EQ(tmem_copy_lanes(1, 3), Lanes({96}));
  EXPECT_EQ(tmem_copy_lanes(2, 127), Lanes({127}));
  EXPECT_EQ(tmem_copy_lanes(copy_of_02_13, 5), Lanes({5, 69}));     // warps 0 and 2
  EXPECT_EQ(tmem_copy_lanes(copy_of_02_13, 40), Lanes({40, 104}));  // warps 1 and 3
  EXPECT_EQ(tmem_copy_lanes(copy_of_01_23, 5), Lanes({5, 37}));     // warps 0 and 1
  EXPECT_EQ(tmem_copy_lanes(copy_of_01_23, 40), Lanes({72, 104}));  // warps 2 and 3
  EXPECT_EQ(tmem_copy_lanes(5, 31), Lanes({31, 63, 95, 127}));
}

// But for 4x256b every lane is written once.
TEST(TmemCopy, ShapesCoverTheLanes) {
  for (uint32_t shape = 0; shape < tmem_copy_shapes.size(); ++shape) {
    Lanes all;
    for (int row = 0; row < tmem_copy_shapes[shape].rows; ++row)
      for (const int lane : tmem_copy_lanes(shape, row)) all.push_back(lane);
    std::sort(all.begin(), all.end());
    EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
    EXPECT_EQ(all.size(), shape == 1 ? 4u : 128u);
    EXPECT_LT(all.back(), 128);
  }
}

}  // namespace
}  // namespace assay::layout
