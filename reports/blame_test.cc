#include "reports/blame.h"

#include <gtest/gtest.h>

namespace assay::report {
namespace {

const Suspect floor{"TILE-R04", "B / E were rounded down"}, fewer{"TILE-R19", "fewer bytes were signalled"};

TEST(Blame, WordsSayHowSureTheyAre) {
  EXPECT_EQ(words({true, {floor}}, {"TILE-R01"}), "violates TILE-R04 (as if B / E were rounded down)");
  EXPECT_EQ(words({true, {floor, fewer}}, {}),
            "one of TILE-R04 (as if B / E were rounded down), TILE-R19 (as if fewer bytes were signalled)");
  EXPECT_EQ(words({true, {}}, {"TILE-R01", "TILE-R02"}), "unexplained; exercises TILE-R01 TILE-R02");
  EXPECT_EQ(words({}, {"TILE-R01"}), "exercises TILE-R01");
  EXPECT_EQ(words({}, {}), "");
}

TEST(Blame, ComesBackAsItWasStored) {
  for (const Blame& blame : {Blame{}, Blame{true, {}}, Blame{true, {floor}}, Blame{true, {floor, fewer}},
                             Blame{true, {{"V-05", ""}}}})
    EXPECT_EQ(parse_blame(stored(blame)), blame) << stored(blame);
}

TEST(Blame, OfTwoRunsWhatExplainsBothIsLeft) {
  EXPECT_EQ(both({true, {floor, fewer}}, {true, {fewer}}), (Blame{true, {fewer}}));
  EXPECT_EQ(both({}, {true, {fewer}}), (Blame{true, {fewer}}));
  EXPECT_EQ(both({true, {floor}}, {true, {fewer}}), (Blame{true, {}}));
}

}  // namespace
}  // namespace assay::report
