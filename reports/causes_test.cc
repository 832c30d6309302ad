// SPDX-License-Identifier: Apache-2.0
#include "reports/causes.h"

#include <gtest/gtest.h>

#include "reports/blame.h"

namespace assay::report {
namespace {

constexpr uint64_t exact = 2 * certain_strength, open = 8;

FailureGroup group(const char* property, const char* signature, uint64_t count, std::vector<Weight> weights,
                   std::vector<std::string> rules, Verdict verdict = Verdict::violates) {
  FailureGroup made;
  made.signature = std::string(property) + "|" + signature, made.verdict = verdict;
  made.rows = made.count = count;
  made.blame = {true, strongest(weights), weights};
  made.rules = std::move(rules);
  CaseRow& example = made.examples.emplace_back();
  example.property = property;
  example.message = std::string(property) + " box 4: byte 0 differs";
  example.replay = std::string("assay replay '") + property + "@1#0'";
  return made;
}

Results run_of(std::vector<FailureGroup> groups) {
  Results made;
  DeviceResult& device = made.devices.emplace_back();
  for (FailureGroup& one : groups) {
    const std::string name = one.examples.front().property;
    if (device.properties.empty() || device.properties.back().info.name != name)
      device.properties.emplace_back().info.name = name;
    device.properties.back().failures.push_back(std::move(one));
  }
  return made;
}

std::vector<std::string> rules_of(const Cause& cause) {
  std::vector<std::string> rules;
  for (const Suspect& suspect : cause.suspects) rules.push_back(suspect.rule);
  return rules;
}
using Rules = std::vector<std::string>;

TEST(Causes, SignaturesThatOneRuleExplainsAreOneItem) {
  const Weight sign{{"TILE-R08", "the sign were lost"}, exact}, bit{{"TILE-R08", "bit 31 were lost"}, exact},
      other{{"TILE-R04", "x"}, exact};
  const auto causes =
      causes_of(run_of({group("tma.tiled.load", "a", 50, {sign}, {"TILE-R08"}),
                        group("tma.tiled.load", "b", 40, {bit}, {"TILE-R08"}),
                        group("tma.tiled.load", "c", 3, {sign, other}, {"TILE-R08", "TILE-R04"}),
                        group("tma.tiled.load", "w", 9, {sign}, {"TILE-R08"}, Verdict::waived),
                        group("tma.tiled.store", "a", 11, {sign}, {"TILE-R08"})}));
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].places.size(), 4u);
  EXPECT_EQ(causes[0].explained, 4u);
  EXPECT_EQ(causes[0].cases, 104u) << "what is waived does not count";
  EXPECT_EQ(causes[0].properties, (Rules{"tma.tiled.load", "tma.tiled.store"}));
  EXPECT_EQ(causes[0].words, "violates TILE-R08 (as if the sign were lost)");
  EXPECT_EQ(causes[0].replay, "assay replay 'tma.tiled.load@1#0' --cause TILE-R08");
}

TEST(Causes, WhatExplainsEverythingYieldsToTheNarrower) {
  const Weight anything{{"SYNC-R01", "D were read early"}, open}, low_bit{{"ADD-R01", "x"}, exact};
  const auto causes =
      causes_of(run_of({group("mma.dense.f16", "a", 90, {anything}, {"SYNC-R01", "ADD-R01"}),
                        group("mma.dense.i8", "a", 80, {anything}, {"SYNC-R01", "ADD-R01"}),
                        group("mma.sparse.f16", "a", 4, {low_bit, anything}, {"SYNC-R01", "ADD-R01"})}));
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(rules_of(causes[0]).front(), "ADD-R01");
  EXPECT_EQ(causes[0].explained, 1u) << "the others fold under it";
  EXPECT_EQ(causes[0].cases, 174u);
}

TEST(Causes, OneThatOnlyComesNearIsNotNamedAlone) {
  const auto causes =
      causes_of(run_of({group("tmem.ld", "a", 5, {{{"TMEM-R10", "x"}, open}}, {"TMEM-R10", "TMEM-R17"})}));
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(rules_of(causes[0]), (Rules{"TMEM-R10", "TMEM-R17"}));
}

TEST(Causes, TheEncoderAccountsForWhatItsMapsBringAbout) {
  const Weight field{{"MAP-R15", "the field held something else"}, exact}, corner{{"IM2C-R03", "x"}, exact};
  const auto causes =
      causes_of(run_of({group("driver.tensor_map.encode_im2col", "a", 7, {field}, {"MAP-R15"}),
                        group("tma.im2col.load", "a", 30, {corner}, {"IM2C-R03"}),
                        group("tma.im2col.store", "a", 20, {corner}, {"IM2C-R03"})}));
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(rules_of(causes[0]).front(), "MAP-R15");
}

/// A wrong input explains whatever comes of it; what comes of it does not explain the input.
TEST(Causes, WhatOnlyComesNearUpstreamIsLikelierThanWhatExplainsTheRest) {
  const Weight corner{{"MAP-R16", "the field held something else"}, 80},
      walk{{"IM2C-R03", "corners were swapped"}, exact};
  const auto causes =
      causes_of(run_of({group("driver.tensor_map.encode_im2col", "f", 9, {corner}, {"MAP-R16"}),
                        group("tma.im2col.load", "a", 9, {walk}, {"IM2C-R03"}),
                        group("tma.im2col.store", "a", 9, {walk}, {"IM2C-R03"})}));
  EXPECT_EQ(causes.at(0).suspects.at(0).rule, "MAP-R16");
  EXPECT_EQ(causes[0].cases, 27u);
}

TEST(Causes, ARuleThatGivesEverythingIsLikelierThanOneThatConformingCasesSpeakAgainst) {
  const auto causes = causes_of(
      run_of({group("tma.tiled.load", "a", 1,
                    {{{"TILE-R01", "coordinates were swapped"}, 3'003'000}, {{"TILE-R03", "x"}, exact}},
                    {"TILE-R01", "TILE-R02"})}));
  EXPECT_EQ(rules_of(causes.at(0)), (Rules{"TILE-R03", "TILE-R01"}));
}

TEST(Causes, WhatBreaksCopiesBreaksThoseThroughRewrittenMaps) {
  const auto causes =
      causes_of(run_of({group("tma.tiled.load", "a", 50, {{{"TILE-R01", "x"}, exact}}, {"TILE-R01"}),
                        group("tma.map.program", "a", 20, {{{"REPL-R14", "y"}, open}}, {"REPL-R14"})}));
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(rules_of(causes[0]), Rules{"TILE-R01"});
}

TEST(Causes, TwoThingsToMendAreTwo) {
  const Weight swizzle{{"TILE-R14", "x"}, exact}, adder{{"ADD-R04", "y"}, exact};
  const auto causes = causes_of(run_of({group("tma.tiled.load", "a", 9, {swizzle}, {"TILE-R14"}),
                                        group("tma.tiled.store", "a", 3, {}, {"TILE-R14", "TILE-R01"}),
                                        group("wgmma.f16", "a", 8, {adder}, {"ADD-R04"})}));
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(rules_of(causes[0]), Rules{"TILE-R14"});
  EXPECT_EQ(causes[0].cases, 12u);
  EXPECT_EQ(rules_of(causes[1]), Rules{"ADD-R04"});
}

TEST(Causes, WhatNothingOnThePageCanHaveBroughtAboutComesLast) {
  const Weight swizzle{{"TILE-R14", "x"}, exact};
  const auto causes = causes_of(run_of({group("barrier.sequence", "a", 900, {}, {"MBAR-R01", "MBAR-R02"}),
                                        group("tma.tiled.load", "a", 2, {swizzle}, {"TILE-R14"})}));
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[1].explained, 0u);
  EXPECT_EQ(causes[1].words, "unexplained; exercises MBAR-R01 MBAR-R02");
  EXPECT_EQ(causes_to_show(causes), 2u) << "one that covers so little does not stand alone";
}

TEST(Causes, OfTheOnlyRuleThatFailingCasesExerciseItIsSaidWhatCameOut) {
  const auto causes = causes_of(run_of({group("assembler.driver.wgmma", "a", 2, {}, {"ASM-R02"})}));
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].words, "violates ASM-R02: box 4: byte 0 differs");
}

TEST(Causes, OnceSettledEveryReportSaysWhatTheCauseDoes) {
  const Weight swizzle{{"TILE-R14", "x"}, exact}, map{{"REPL-R21", "y"}, open};
  Results results = run_of({group("tma.map.memory", "a", 3, {map}, {"TILE-R14", "REPL-R21"}),
                            group("tma.tiled.load", "a", 9, {swizzle}, {"TILE-R14"})});
  DeviceResult& device = results.devices[0];
  device.properties[0].failures[0].examples[0].detail =
      "lane 3\nfits TMA-AMB-18:B, which this run does not follow\n";
  ReadingRow& question = device.readings.emplace_back();
  question.question = "TMA-AMB-18", question.status = reading_contradicted;
  question.witness = "tma.map.memory@1#2 fits reading B alone";
  ReadingRow& other = device.readings.emplace_back();
  other.question = "TMA-AMB-19", other.status = reading_contradicted;
  other.witness = "bulk.copy.peer@1#2 fits reading B alone";
  settle_causes(results);
  const FailureGroup& folded = device.properties[0].failures[0];
  EXPECT_EQ(blame_line(folded), "may follow from what violates TILE-R14 (as if x)");
  EXPECT_EQ(folded.examples[0].detail, "lane 3\n");
  EXPECT_EQ(folded.examples[0].replay, "assay replay 'tma.map.memory@1#0' --cause TILE-R14");
  EXPECT_EQ(blame_line(device.properties[1].failures[0]), "violates TILE-R14 (as if x)");
  EXPECT_EQ(device.readings[0].status, reading_open);
  EXPECT_EQ(device.readings[1].status, reading_contradicted);
  const auto again = causes_of(results);
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again[0].explained, 1u);
}

/// At least three, and as many as it takes to cover half of what failed.
TEST(Causes, ThoseShownCoverHalfOfTheFailures) {
  const auto shown = [](std::vector<uint64_t> cases) {
    std::vector<Cause> causes(cases.size());
    for (size_t i = 0; i < cases.size(); ++i) causes[i].cases = cases[i];
    return causes_to_show(causes);
  };
  EXPECT_EQ(shown({90, 5, 3, 2}), 3u);
  EXPECT_EQ(shown({10, 10, 10, 40, 30}), 4u);
  EXPECT_EQ(shown({7}), 1u);
  EXPECT_EQ(shown({}), 0u);
}

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
