// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/tiled_build.h"

#include <gtest/gtest.h>

#include <map>

#include "reference/model/rig.h"

namespace assay::gen {
namespace {

class EveryCell : public testing::TestWithParam<std::pair<spec::Arch, CopyDirection>> {};

TEST_P(EveryCell, IsReachedByItsOwnWish) {
  const auto [arch, direction] = GetParam();
  std::map<std::string, int> missed;
  uint64_t bytes = 0;
  const auto cells = reachable_cells(arch, direction);
  for (uint32_t k = 0; k < cells.size(); ++k) {
    Random random(case_stream(1, "cells", k));
    const TiledWish wish{tiled_cell(cells[k]), direction, static_cast<Twist>(k % twist_count),
                         tile_bytes_wish(random, k)};
    TensorCopyCase c;
    if (!build_tiled(random, wish, c)) ++missed[name_of(wish.cell)];
    ASSERT_TRUE(fits_rig(c)) << name_of(wish.cell);
    bytes += geometry(c.map, c.coord).transaction_bytes;
  }
  EXPECT_EQ(missed.size(), 0u) << "of " << cells.size() << ", e.g. " << missed.begin()->first << " and "
                               << missed.rbegin()->first;
  RecordProperty("cells", static_cast<int>(cells.size()));
  RecordProperty("mean_tile", static_cast<int>(bytes / cells.size()));
}

INSTANTIATE_TEST_SUITE_P(Tiled, EveryCell,
                         testing::Values(std::pair{spec::Arch::sm_90, CopyDirection::load},
                                         std::pair{spec::Arch::sm_90, CopyDirection::store},
                                         std::pair{spec::Arch::sm_100, CopyDirection::load},
                                         std::pair{spec::Arch::sm_100, CopyDirection::store},
                                         std::pair{spec::Arch::sm_103, CopyDirection::load},
                                         std::pair{spec::Arch::sm_103, CopyDirection::store}));

}  // namespace
}  // namespace assay::gen
