// SPDX-License-Identifier: Apache-2.0
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

/// What is second in one shard and first in another explains both; intersecting what was first leaves
/// nothing.
TEST(Blame, OfTwoRunsIsWeighedAgain) {
  const auto of = [](uint64_t strength_of_floor, uint64_t strength_of_fewer) {
    Blame blame{true, {}, {{floor, strength_of_floor}, {fewer, strength_of_fewer}}};
    blame.suspects = strongest(blame.weights);
    return blame;
  };
  EXPECT_EQ(of(4'000'000, 3'500'000).suspects, std::vector{floor});
  EXPECT_EQ(both(of(4'000'000, 3'500'000), of(3'000'000, 4'000'000)).suspects, std::vector{fewer});
  EXPECT_EQ(both(of(4'000'000, 3'500'000), of(3'500'000, 4'000'000)).suspects, (std::vector{floor, fewer}));
  // Below certainty what comes close more often has more.
  EXPECT_EQ(both(of(101, 200), of(300, 100)).suspects, std::vector{floor});
  const Blame one = of(4'000'000, 12);
  EXPECT_EQ(parse_weights(stored_weights(one)), one.weights);
  EXPECT_TRUE(parse_weights("TILE-R04\nTILE-R19 x y\n\n 5 z").empty());
}

}  // namespace
}  // namespace assay::report
