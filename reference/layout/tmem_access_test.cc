// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/tmem_access.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace assay::layout {
namespace {

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

}  // namespace
}  // namespace assay::layout
