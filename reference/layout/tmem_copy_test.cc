// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/tmem_copy.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace assay::layout {
namespace {

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
