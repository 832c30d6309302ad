// SPDX-License-Identifier: Apache-2.0
#include "cli/live_line.h"

#include <gtest/gtest.h>

namespace assay::cli {
namespace {

suites::Progress progress() {
  suites::Progress p;
  p.device = "emulator:sm_100a";
  p.property = "tma.tiled.load";
  p.stage = "running";
  p.cases = 1234567;
  p.cases_per_second = 5123.4;
  p.seconds_left = 125;
  return p;
}

TEST(LiveLine, SaysPropertyCasesRateAndTimeLeft) {
  EXPECT_EQ(live_words(progress(), 100), "tma.tiled.load  1,234,567 cases  5,123/s  2m05s left");
}

TEST(LiveLine, PlannedFailuresAndStage) {
  suites::Progress p = progress();
  p.planned = 2000000;
  p.failures = 3;
  p.stage = "shrinking 1 of 3 failures";
  p.seconds_left = -1;
  EXPECT_EQ(
      live_words(p, 200),
      "tma.tiled.load  shrinking 1 of 3 failures  1,234,567 of 2,000,000 cases  5,123/s  3 NOT CONFORMING");
}

TEST(LiveLine, NeverWiderThanTheTerminal) {
  EXPECT_EQ(live_words(progress(), 20).size(), 20u);
}

}  // namespace
}  // namespace assay::cli
