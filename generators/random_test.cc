// SPDX-License-Identifier: Apache-2.0
#include "generators/random.h"

#include <gtest/gtest.h>
#include <array>

#include "generators/tensor_copy/im2col.h"
#include "generators/tensor_copy/issue.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/rig.h"
#include "reference/model/tensor_copy/copy.h"
#include "reference/spec/questions.h"

namespace assay::gen {
namespace {

// The mix is splitmix64: its first outputs from stream 0 are published with it. A change here would change
// the meaning of every recorded seed.
TEST(Random, IsTheSameOnEveryMachine) {
  Random random(0);
  EXPECT_EQ(random.next(), 0xe220a8397b1dcdafu);
  EXPECT_EQ(random.next(), 0x6e789e6aa1b965f4u);
  EXPECT_EQ(random.next(), 0x06c45d188009454fu);
  static_assert(case_stream(1, "tma.tiled.load", 0) == case_stream(1, "tma.tiled.load", 0));
  EXPECT_NE(case_stream(1, "tma.tiled.load", 0), case_stream(2, "tma.tiled.load", 0));
  EXPECT_NE(case_stream(1, "tma.tiled.load", 0), case_stream(1, "tma.tiled.load", 1));
  EXPECT_NE(case_stream(1, "tma.tiled.load", 0), case_stream(1, "tma.tiled.store", 0));
}

TEST(Random, DrawsStayInRangeAndReachBothEnds) {
  Random random(7);
  std::array<int, 3> seen{};
  for (int i = 0; i < 1000; ++i) ++seen[random.between(4, 6) - 4];
  for (const int n : seen) EXPECT_GT(n, 200);
  uint64_t low = ~0ull, high = 0;
  for (int i = 0; i < 20000; ++i) {
    const uint64_t v = random.log_uniform(3, 40);
    low = v < low ? v : low;
    high = v > high ? v : high;
  }
  EXPECT_EQ(low, 3u);
  EXPECT_EQ(high, 40u);
}

TEST(Random, LogUniformDrawsSmallAsOftenAsLarge) {
  Random random(9);
  int small = 0;
  for (int i = 0; i < 10000; ++i) small += random.log_uniform(1, (1 << 16) - 1) < 256;
  EXPECT_NEAR(small, 5000, 300);
}

/// How many of the cases touch more global memory by the rival than by the default; none leaves its room,
/// where other cases lie, or nothing.
template <typename Copy>
int reach_further(void (*make)(const CaseId&, Copy&), uint64_t cases, spec::NamedReading rival) {
  const spec::Readings usual(spec::Arch::sm_90), other = spec::Readings(usual).choose(rival);
  int further = 0;
  for (uint64_t index = 0; index < cases; ++index) {
    Copy c;
    make({1, "tma.im2col.load", index, spec::Arch::sm_90}, c);
    const uint64_t room = c.direction == CopyDirection::store ? c.slot_bytes : rig::arena_bytes;
    for (uint32_t lane = 0; lane < c.lanes; ++lane) {
      const uint64_t end = model::footprint(of_lane(c, lane), other).global_end;
      further += end > model::footprint(of_lane(c, lane), usual).global_end;
      EXPECT_LE(end, room) << index << " lane " << lane;
    }
  }
  return further;
}

TEST(RivalRoom, ADeviceThatWalksChannelSlicesStaysInTheRoomOfItsCase) {
  for (const auto make : {make_tiled_load, make_tiled_store})
    EXPECT_GT(reach_further<TensorCopyCase>(make, 2000, {"TMA-AMB-12", "walks_slices"}), 20);
}

TEST(RivalRoom, ADeviceThatCutsOffsetsReadsTheArena) {
  EXPECT_GT(reach_further<TensorCopyCase>(make_im2col_load, 20000, {"TMA-AMB-23", "cut_to_5_bits"}), 5);
}

}  // namespace
}  // namespace assay::gen
