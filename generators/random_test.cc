// SPDX-License-Identifier: Apache-2.0
#include "generators/random.h"

#include <gtest/gtest.h>

#include <array>

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

}  // namespace
}  // namespace assay::gen
