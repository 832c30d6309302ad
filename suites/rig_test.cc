// SPDX-License-Identifier: Apache-2.0
#include "reference/model/rig.h"

#include <gtest/gtest.h>

#include "kernels/params/arena.h"
#include "kernels/params/batch.h"
#include "kernels/params/bulk_copy.h"

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
}

}  // namespace
}  // namespace assay::suites
