// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/issue.h"

#include <gtest/gtest.h>
#include <map>

#include "generators/tensor_copy/im2col.h"
#include "generators/tensor_copy/tiled_build.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/copy.h"

namespace assay::gen {
namespace {

const spec::Readings readings(spec::Arch::sm_90);

/// How many of the cases are by several lanes, and of these by two maps; each fits the rig, has lanes of both
/// maps, and stores nothing where another lane does.
template <typename Copy>
std::pair<int, int> count(void (*make)(const CaseId&, Copy&), uint64_t cases) {
  int several = 0, by_two_maps = 0;
  for (uint64_t index = 0; index < cases; ++index) {
    Copy c;
    make({7, "lanes", index, spec::Arch::sm_90}, c);
    if (c.lanes == 1) {
      EXPECT_TRUE(c.other_map_lanes == 0 && c.other_map_address == 0) << index;
      continue;
    }
    ++several;
    EXPECT_TRUE(fits_rig(c)) << index;
    const uint32_t all = (1u << c.lanes) - 1;
    EXPECT_TRUE((c.other_map_lanes & ~all) == 0 && c.other_map_lanes != all) << index;
    by_two_maps += c.other_map_lanes != 0;
    if (c.direction == CopyDirection::load) continue;
    for (uint32_t lane = 0; lane < c.lanes; ++lane)
      for (uint32_t other = 0; other < lane; ++other) {
        if ((c.other_map_lanes >> lane & 1) == (c.other_map_lanes >> other & 1)) continue;
        const auto a = model::footprint(of_lane(c, lane), readings),
                   b = model::footprint(of_lane(c, other), readings);
        EXPECT_TRUE(a.global_end <= b.global_begin || b.global_end <= a.global_begin) << index;
      }
  }
  return {several, by_two_maps};
}

TEST(Lanes, SomeOfSeveralCopyByAnotherMap) {
  for (const auto make : {make_tiled_load, make_tiled_store}) {
    const auto [several, by_two_maps] = count<TensorCopyCase>(make, 4000);
    EXPECT_GT(several, 200);
    EXPECT_GT(by_two_maps, several / 5);
    EXPECT_LT(by_two_maps, several);
  }
}

TEST(Lanes, OfIm2colLoadsAnyOfStoresTwoByTwoMaps) {
  const auto [loads, by_two_maps] = count<TensorCopyCase>(make_im2col_load, 3000);
  EXPECT_GT(loads, 100);
  EXPECT_GT(by_two_maps, loads / 4);
  EXPECT_LT(by_two_maps, loads);
  const auto [stores, stores_by_two] = count<TensorCopyCase>(make_im2col_store, 3000);
  EXPECT_GT(stores, 100);
  EXPECT_EQ(stores, stores_by_two);
}

TEST(Lanes, WhatIsLeftOfAMapGoesWithItsLanes) {
  TensorCopyCase c;
  c.lanes = 4, c.lane_pitch = 128;
  c.other_map_lanes = 0b1000, c.other_map_address = 64, c.other_map_less = 1;
  keep_lanes(c, 3);
  EXPECT_EQ(c.lanes, 3u);
  EXPECT_TRUE(other_map_fits(c)) << "lane 3 was the last of the other map";
  EXPECT_EQ(c.other_map_address, 0u);
  keep_lanes(c, 1);
  EXPECT_EQ(c, TensorCopyCase());
}

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
