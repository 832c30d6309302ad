// SPDX-License-Identifier: Apache-2.0
#include "reports/absence.h"

#include <gtest/gtest.h>

namespace assay::report {
namespace {

TEST(Absence, WhatASeedMerelyMissedIsNotGone) {
  const Absence rare = absence(1, 300, 300, false);
  EXPECT_FALSE(rare.is_gone);
  EXPECT_EQ(rare.words, "not seen in 300 cases, 1 expected");
  EXPECT_EQ(absence(3, 1000, 100, false).words, "not seen in 100 cases, 0.3 expected");
}

TEST(Absence, WhatWouldHaveComeUpIsGone) {
  EXPECT_TRUE(absence(5, 300, 300, false).is_gone);
  EXPECT_FALSE(absence(4, 300, 300, false).is_gone) << "stays away by chance in one night of fifty";
  EXPECT_TRUE(absence(1, 300, 1500, false).is_gone);
}

TEST(Absence, TheSameCasesLeaveNothingToChance) {
  EXPECT_TRUE(absence(1, 1000000, 1000000, true).is_gone);
}

TEST(Absence, WithoutACountNothingIsExpected) {
  EXPECT_EQ(absence(0, 300, 1, false).words, "not seen in 1 case");
}

}  // namespace
}  // namespace assay::report
