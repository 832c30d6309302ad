// SPDX-License-Identifier: Apache-2.0
#include "suites/run/host_load.h"

#include <gtest/gtest.h>

namespace assay::suites {
namespace {

TEST(HostLoad, ReadsProcLoadavg) {
  const auto sample = parse_load("8.25 4.10 2.00 11/523 40213\n");
  ASSERT_TRUE(sample);
  EXPECT_DOUBLE_EQ(sample->last_minute, 8.25);
  EXPECT_EQ(sample->runnable, 11u);
  for (const char* text : {"", "8.25", "8.25 4.10 2.00", "a b c 1/2", "-1 0 0 1/2"})
    EXPECT_FALSE(parse_load(text)) << text;
}

TEST(HostLoad, DeadlinesStretchWithTheTasksForEachCore) {
  EXPECT_DOUBLE_EQ(stretch_of({0.3, 1}, 2), 1);
  EXPECT_DOUBLE_EQ(stretch_of({8, 3}, 2), 4);
  EXPECT_DOUBLE_EQ(stretch_of({1, 12}, 2), 6) << "a burst that the mean of a minute has not seen yet";
  EXPECT_DOUBLE_EQ(stretch_of({1000, 1}, 2), 16);
  EXPECT_GE(host_stretch(), 1);
}

TEST(HostLoad, IsToldWhereMoreThanTheRunWantedTheCores) {
  HostLoad idle(2), busy(2);
  EXPECT_EQ(idle.words(), "") << "nothing is known";
  for (int i = 0; i < 10; ++i) idle.add({2, 4}), busy.add({2, i % 2 ? 12u : 5u});
  EXPECT_EQ(idle.words(), "") << "as many as a run of its own makes";
  EXPECT_NE(busy.words().find("on average 8.5 tasks were ready to run on 2 cores"), std::string::npos)
      << busy.words();
  HostLoad looked(1);
  looked.look();
}

}  // namespace
}  // namespace assay::suites
