// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/busy_time.h"

#include <gtest/gtest.h>
#include <unistd.h>

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

TEST(WorkTime, CountsTimeOnACoreWhereThatIsKnown) {
  EXPECT_DOUBLE_EQ(seconds_of_work({10, {}}, {15, {}}), 5);
  EXPECT_DOUBLE_EQ(seconds_of_work({10, 3.0}, {15, 4.0}), 1) << "on a busy host";
  EXPECT_DOUBLE_EQ(seconds_of_work({10, 3.0}, {26, 3.0}), 1) << "a process that sleeps is late in the end";
  EXPECT_DOUBLE_EQ(seconds_of_work({10, 3.0}, {12, 9.0}), 2) << "of several threads";
  EXPECT_DOUBLE_EQ(seconds_of_work({10, 3.0}, {15, {}}), 5);
  EXPECT_DOUBLE_EQ(seconds_of_work({10, 3.0}, {15, 1.0}), 5) << "another process";
}

TEST(WorkTime, HardlyCountsWhileAGpuOpensContexts) {
  EXPECT_DOUBLE_EQ(excused_seconds(true, 0.02), 0.015);
  EXPECT_DOUBLE_EQ(excused_seconds(false, 0.02), 0);
  EXPECT_DOUBLE_EQ(excused_seconds(true, 10), 0) << "nobody looked, and who waits began later";
}

TEST(WorkTime, AProcessThatComputesUsesItsCore) {
  const auto before = cpu_seconds(getpid());
  ASSERT_TRUE(before);
  volatile unsigned sum = 0;
  for (unsigned i = 0; i < 100'000'000; ++i) sum = sum + i;
  EXPECT_GT(cpu_seconds(getpid()).value(), *before + 0.01);
  EXPECT_FALSE(cpu_seconds(-1));
}

}  // namespace
}  // namespace assay::cuda
