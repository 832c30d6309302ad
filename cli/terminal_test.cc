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

}  // namespace
}  // namespace assay::cli
