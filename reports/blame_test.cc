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

TEST(SignatureWords, AreSentencesForPeople) {
  const std::pair<const char*, const char*> rows[] = {
      {"tma.tiled.load|done|done|outside the tile", "tma.tiled.load: wrong output, outside the tile"},
      {"tma.tiled.load|done|never completes",
       "tma.tiled.load: expected to complete, barrier never completed"},
      {"tma.tiled.load|done|done|tile|flaky", "tma.tiled.load: wrong output, tile, not every time"},
      {"tma.tiled.store.faults|illegal instruction (715)|done",
       "tma.tiled.store.faults: expected illegal instruction (715), completed"},
      {"driver.x|rejected (1)|done|V-01+V-02+V-23",
       "driver.x: expected the call to be rejected, completed (breaks V-01, V-02 and V-23)"},
      {"driver.x|rejected (1)|rejected (1)|V-01|field box",
       "driver.x: wrong output of rejected (1) (breaks V-01), field box"},
      {"mma.dense.f16|undecided|AMB-04", "mma.dense.f16: cases do not agree on AMB-04"},
      {"mma.dense.f16|rig|no memory", "mma.dense.f16: not run, no memory"},
      {"driver.x|crashed (signal 11)", "driver.x: crashed (signal 11)"},
      {"tma.tiled.load|done|done|tile: not seen in 30 cases, 0.2 expected",
       "tma.tiled.load: wrong output, tile: not seen in 30 cases, 0.2 expected"},
      {"of another form", "of another form"},
      {"", ""},
      {"|", ": "},
  };
  for (const auto& [signature, words] : rows) EXPECT_EQ(signature_words(signature), words);
}

}  // namespace
}  // namespace assay::report
