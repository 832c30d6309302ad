// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>
#include <cstdlib>

namespace assay::cli {
namespace {

TEST(Terminal, ColoursAreForTerminalsWhoseUserWantsThem) {
  int outer = -1, terminal = -1;
  ASSERT_EQ(openpty(&outer, &terminal, nullptr, nullptr, nullptr), 0);
  unsetenv("NO_COLOR");
  setenv("TERM", "xterm-256color", 1);
  EXPECT_TRUE(shows_colour(terminal));
  setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(shows_colour(terminal)) << "set but empty means nothing";
  setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(shows_colour(terminal));
  unsetenv("NO_COLOR");
  setenv("TERM", "dumb", 1);
  EXPECT_FALSE(shows_colour(terminal));
  setenv("TERM", "xterm-256color", 1);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_FALSE(shows_colour(ends[1]));
  for (const int descriptor : {outer, terminal, ends[0], ends[1]}) close(descriptor);
}

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
  EXPECT_EQ(live_words(p, 200),
            "tma.tiled.load  shrinking 1 of 3 failures  1,234,567 of 2,000,000 cases  5,123/s  3 FAILED");
}

TEST(LiveLine, NeverWiderThanTheTerminal) {
  EXPECT_EQ(live_words(progress(), 20).size(), 20u);
}

}  // namespace
}  // namespace assay::cli
