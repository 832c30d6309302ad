// SPDX-License-Identifier: Apache-2.0
#include "reference/model/rig.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/params/arena.h"
#include "kernels/params/batch.h"
#include "kernels/params/bulk_copy.h"
#include "kernels/params/map_program.h"
#include "reference/model/arena.h"
#include "reference/model/tensor_map/program_model.h"
#include "suites/run/launch.h"

namespace assay::suites {
namespace {

TEST(Rig, WhatTheProbesOfferIsWhatGeneratorsTakeItToBe) {
  EXPECT_EQ(rig::arena_bytes, params::arena_bytes);
  EXPECT_EQ(rig::arena_integers, params::arena_integers);
  EXPECT_EQ(rig::largest_cluster, params::largest_cluster);
  EXPECT_EQ(rig::most_bulk_pieces, params::most_bulk_pieces);
  EXPECT_EQ(rig::most_bulk_pending, params::most_bulk_pending);
  EXPECT_EQ(rig::bulk_pool_units, params::bulk_pool_units);
  EXPECT_EQ(rig::arena_floats, params::arena_floats);
  EXPECT_EQ(rig::max_window_bytes, params::max_window_bytes);
  EXPECT_EQ(rig::max_operand_window_bytes, params::max_operand_window_bytes);
  EXPECT_EQ(rig::map_area_bytes, params::map_area_bytes);
  EXPECT_EQ(rig::map_area_fill, params::map_area_fill);
  for (const uint32_t slot_bytes : {0u, 16u}) {
    MapProgramCase c;
    c.steps = 3, c.uses = 1, c.window_bytes = 48, c.slot_bytes = slot_bytes;
    EXPECT_EQ(model::slot_at(c), params::map_program_bytes(3, 1, 48, slot_bytes));
  }
}

TEST(Rig, BothSidesHaveTheSameArena) {
  EXPECT_TRUE(std::ranges::equal(model::arena(), arena()));
}

}  // namespace
}  // namespace assay::suites
