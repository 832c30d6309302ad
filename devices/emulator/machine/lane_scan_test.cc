// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/machine/lane_scan.h"

#include <gtest/gtest.h>

#include <random>

namespace assay::emulator {
namespace {

// Against the same questions asked lane by lane.
TEST(LaneScan, SaysOfFourLanesWhatItSaysOfOne) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    LaneCounters pc;
    for (uint32_t& one : pc) one = random() % 6 == 0 ? behind_all : random() % 5;
    const uint32_t at = random() % 5, mask = random() & random();
    LanesAround expected;
    uint32_t lowest = behind_all;
    LaneCounters set = pc;
    for (uint32_t lane = 0; lane < warp_lanes; ++lane) {
      expected.at |= static_cast<uint32_t>(pc[lane] == at) << lane;
      expected.before |= static_cast<uint32_t>(pc[lane] < at) << lane;
      if (pc[lane] > at) expected.next = std::min(expected.next, pc[lane]);
      if (mask >> lane & 1) lowest = std::min(lowest, pc[lane]), set[lane] = at;
    }
    const LanesAround found = look_around(pc, at);
    EXPECT_EQ(found.at, expected.at);
    EXPECT_EQ(found.before, expected.before);
    EXPECT_EQ(found.next, expected.next);
    EXPECT_EQ(lowest_counter(pc, mask), lowest);
    set_counters(pc, mask, at);
    EXPECT_EQ(pc, set);
  }
}

TEST(LaneScan, AnyOfSixtyFourBitsIsTrue) {
  for (int bit = 0; bit < 64; ++bit)
    for (int lane = 0; lane < warp_lanes; ++lane) {
      uint64_t column[warp_lanes] = {};
      column[lane] = uint64_t{1} << bit;
      EXPECT_EQ(lanes_where_true(column), 1u << lane);
    }
}

}  // namespace
}  // namespace assay::emulator
