// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/tmem_copy.h"

namespace assay::layout {

std::vector<int> tmem_copy_lanes(uint32_t shape, int row) {
  const TmemCopyShapeRow& s = tmem_copy_shapes[shape];
  std::vector<int> lanes;
  for (int copy = 0; copy < s.copies; ++copy)
    lanes.push_back(row / s.unit * s.unit_lanes + copy * s.copy_lanes + row % s.unit);
  return lanes;
}

}  // namespace assay::layout
