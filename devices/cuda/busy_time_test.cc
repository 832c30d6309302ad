// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/busy_time.h"

#include <gtest/gtest.h>

namespace assay::cuda {
namespace {

TEST(BusyTime, OverlapsCountOnce) {
  BusyTime busy;
  busy.add(1, 3);
  busy.add(2, 5);
  busy.add(8, 9);
  EXPECT_DOUBLE_EQ(busy.seconds(), 5);
  busy.add(4, 8.5);  // joins both
  EXPECT_DOUBLE_EQ(busy.seconds(), 8);
  busy.add(2, 3);  // inside
  EXPECT_DOUBLE_EQ(busy.seconds(), 8);
  busy.add(0.5, 1);  // touches the start
  EXPECT_DOUBLE_EQ(busy.seconds(), 8.5);
}

TEST(BusyTime, EmptyAndBackwardIntervalsAreNothing) {
  BusyTime busy;
  busy.add(3, 3);
  busy.add(5, 4);
  EXPECT_EQ(busy.seconds(), 0);
}

TEST(BusyTime, ManyIntervals) {
  BusyTime busy;
  for (int i = 0; i < 5000; ++i) busy.add(i, i + 0.25);
  EXPECT_NEAR(busy.seconds(), 1250, 1e-6);
}

}  // namespace
}  // namespace assay::cuda
