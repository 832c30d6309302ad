#include "suites/progress.h"

#include <gtest/gtest.h>

namespace assay::suites {
namespace {

TEST(TimeLeft, IsWhatTheRateForetellsWhileItForetellsAnything) {
  EXPECT_EQ(time_left(500, 100, 1), 5.0);
  EXPECT_EQ(time_left(60'000, 100, 60), 600.0);
  EXPECT_EQ(time_left(0, 100, 60), 0.0);
  // Thousands of cases a second, then one a minute: not "1674h54m left".
  EXPECT_EQ(time_left(688, 0.0001, 100), std::nullopt);
  EXPECT_EQ(time_left(688, 0, 100), std::nullopt);
}

}  // namespace
}  // namespace assay::suites
