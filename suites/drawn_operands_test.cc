// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "reference/model/rig.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/spec/tensor_map.h"
#include "suites/run/property.h"

/// What reductions add and compare is drawn from places of the arena that have the numbers in question.
namespace assay::suites {
namespace {

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
