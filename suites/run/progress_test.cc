// SPDX-License-Identifier: Apache-2.0
#include "suites/run/progress.h"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::suites {
namespace {

TEST(WorkLeft, CountsEachPropertyAtItsOwnCost) {
  WorkLeft left;
  EXPECT_FALSE(left.time(1).has_value());
  left.add(1000, 0, 2);  // a thousand cases took two seconds: nothing of them is left
  left.add(10, 90, 8);   // ten of a hundred took eight
  // 72 seconds of work, of which two threads do ten in five seconds.
  EXPECT_EQ(left.time(5), 36.0);
  // Cases of which none is known yet cost what others cost on the average.
  left.add(0, 101, 0);
  EXPECT_DOUBLE_EQ(*left.time(5), 36.0 + 0.5);
}

/// The rate of a run whose properties differ by a factor of a thousand comes and goes.
TEST(Countdown, DoesNotJump) {
  Countdown countdown;
  double before = countdown.next(100, 0);
  EXPECT_EQ(before, 100);
  double least = before, most = before;
  for (int i = 1; i < 100; ++i) {
    const double honest = 100 - 0.5 * i;
    const double shown = countdown.next(i % 2 == 0 ? honest * 1.6 : honest * 0.6, 0.5);
    EXPECT_LE(std::abs(shown - before), 8) << i;
    EXPECT_LE(std::abs(shown - honest), 20) << i;
    least = std::min(least, shown), most = std::max(most, shown);
    before = shown;
  }
  EXPECT_LE(most, 110);
  // It follows what stays so.
  for (int i = 0; i < 40; ++i) before = countdown.next(300, 0);
  EXPECT_NEAR(before, 300, 5);
  EXPECT_EQ(Countdown().next(0, 0.5), 0);
}

}  // namespace
}  // namespace assay::suites
