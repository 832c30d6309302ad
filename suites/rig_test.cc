// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <algorithm>

#include "kernels/params/arena.h"
#include "kernels/params/batch.h"
#include "kernels/params/bulk_copy.h"
#include "kernels/params/map_program.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_map/program_model.h"
#include "reference/spec/tensor_map.h"
#include "suites/run/family.h"
#include "suites/run/property.h"

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

// What reductions add and compare is drawn from places of the arena that have the numbers in question.

/// Anywhere in the arena a window would meet the strip by chance, now and then; half of them lie in it.
TEST(DrawnOperands, HalfOfTheOperandsOfIntegerReductionsLieAmongThem) {
  for (const std::string_view name : {"tma.tiled.reduce", "tma.im2col.reduce"}) {
    const Property* property = find_property(name);
    ASSERT_NE(property, nullptr) << name;
    uint64_t integers = 0, operands = 0, old = 0;
    Case c;
    const auto note = [&](uint32_t type, uint64_t fill, uint64_t slot_fill) {
      if (spec::data_types[type].is_float) return;
      const auto in_strip = [](uint64_t at) { return at >= rig::arena_integers && at < rig::arena_floats; };
      ++integers, operands += in_strip(fill), old += in_strip(slot_fill);
    };
    for (uint64_t index = 0; index < 2'000; ++index) {
      property->generate(19, name, index, spec::Arch::sm_90, c);
      const auto& copy = c.as<TensorCopyCase>();
      note(copy.map.data_type, copy.fill_offset, copy.slot_fill_offset);
    }
    EXPECT_GT(integers, 500u) << name;
    EXPECT_GT(operands, integers * 2 / 5) << name;
    EXPECT_GT(old, integers * 2 / 5) << name;
  }
}

/// Of 2^17 pairs of numbers about one has a sum that is flushed and lies below 0.
TEST(DrawnOperands, ReductionsThatFlushMeetManyNumbers) {
  const Property* property = find_property("tma.tiled.reduce");
  ASSERT_NE(property, nullptr);
  uint64_t elements = 0;
  Case any;
  for (uint64_t index = 0; index < 2'000; ++index) {
    property->generate(19, property->name, index, spec::Arch::sm_90, any);
    const auto& c = any.as<TensorCopyCase>();
    if (!spec::data_types[c.map.data_type].name.ends_with(".ftz")) continue;
    elements += std::min(c.window_bytes, c.slot_bytes) / 4;
  }
  EXPECT_GT(elements, 1u << 17);
}

}  // namespace
}  // namespace assay::suites
