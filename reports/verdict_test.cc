// SPDX-License-Identifier: Apache-2.0
#include "reports/verdict.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <set>

#include "reports/results.h"
#include "reports/sample_test.h"
#include "reports/text.h"

namespace assay::report {
namespace {

// Worked out by hand from the architecture page, section 11; never from the table.
struct Expected {
  Verdict verdict;
  const char* name;
  int exit_code;
  JunitElement element;
  const char* type;
};
const Expected by_hand[] = {
    {Verdict::conforms, "conforms", 0, JunitElement::none, ""},
    {Verdict::adopted_reading, "adopted-reading", 0, JunitElement::none, ""},
    {Verdict::declined, "declined", 0, JunitElement::skipped, ""},
    {Verdict::waived, "waived", 0, JunitElement::none, ""},
    {Verdict::violates, "violates", 1, JunitElement::failure, "Mismatch"},
    {Verdict::unexpected_pass, "unexpected-pass", 1, JunitElement::failure, "UnexpectedPass"},
    {Verdict::flaky, "flaky", 1, JunitElement::failure, "Flaky"},
    {Verdict::crashed, "crashed", 1, JunitElement::error, "Crash"},
    {Verdict::hung, "hung", 1, JunitElement::error, "Timeout"},
    {Verdict::not_run, "not-run", 3, JunitElement::error, "NotRun"},
    {Verdict::rig_broken, "rig-broken", 2, JunitElement::error, "Rig"},
    {Verdict::no_demand, "no-demand", 0, JunitElement::none, ""},
    {Verdict::undecided, "undecided", 1, JunitElement::failure, "Undecided"},
    {Verdict::incomplete, "incomplete", 4, JunitElement::error, "Incomplete"},
    {Verdict::not_assembled, "not-assembled", 0, JunitElement::skipped, ""},
};

TEST(Verdict, TableSaysWhatTheArchitectureSays) {
  ASSERT_EQ(std::size(by_hand), verdicts.size());
  for (const Expected& e : by_hand) {
    EXPECT_EQ(row(e.verdict).name, e.name);
    EXPECT_EQ(row(e.verdict).exit_code, e.exit_code) << e.name;
    EXPECT_EQ(row(e.verdict).element, e.element) << e.name;
    EXPECT_EQ(row(e.verdict).type, e.type) << e.name;
    EXPECT_EQ(parse_verdict(e.name), e.verdict);
  }
  EXPECT_FALSE(parse_verdict("Conforms"));
}

TEST(Verdict, WordsForPeopleAreDocumentedWithTheNamesForMachines) {
  std::string page = read_whole_file(ASSAY_SOURCE_DIR "/docs/machine_readable.md");
  std::replace(page.begin(), page.end(), '\n', ' ');
  std::set<std::string_view> words;
  for (const VerdictRow& r : verdicts) {
    EXPECT_NE(page.find("`" + std::string(r.name) + "` (" + std::string(r.shown) + ")"), std::string::npos)
        << r.name;
    EXPECT_TRUE(words.insert(r.shown).second) << r.shown;
  }
}

TEST(Verdict, SeverityIsATotalOrderInWhichEveryFailureOutranksEverySuccess) {
  std::set<int> severities;
  for (const VerdictRow& r : verdicts) severities.insert(r.severity);
  EXPECT_EQ(severities.size(), verdicts.size());
  for (const VerdictRow& bad : verdicts)
    for (const VerdictRow& good : verdicts) {
      if (!fails(bad.verdict) || fails(good.verdict)) continue;
      EXPECT_EQ(worse(bad.verdict, good.verdict), bad.verdict);
    }
  EXPECT_EQ(worse(Verdict::no_demand, Verdict::conforms), Verdict::conforms);
  EXPECT_EQ(worse(Verdict::rig_broken, Verdict::violates), Verdict::violates);
  EXPECT_EQ(worse(Verdict::declined, Verdict::conforms), Verdict::conforms);
  EXPECT_EQ(worse(Verdict::not_assembled, Verdict::conforms), Verdict::conforms);
  EXPECT_FALSE(is_judged(Verdict::not_assembled));
}

// Worked out by hand from the same section: 3, then 1, then 2, then 4, then 0.
TEST(Verdict, ExitCodesHaveAnOrder) {
  const int order[] = {0, 4, 2, 1, 3};
  for (size_t a = 0; a < std::size(order); ++a)
    for (size_t b = 0; b <= a; ++b) {
      EXPECT_EQ(worse_exit(order[a], order[b]), order[a]);
      EXPECT_EQ(worse_exit(order[b], order[a]), order[a]);
    }
}

TEST(Verdict, EachOneCaseInAMillionGivesItsExitCode) {
  const Scratch scratch;
  for (const Expected& e : by_hand) {
    const bool outranks = worse(e.verdict, Verdict::conforms) == e.verdict;
    PropertyTotals totals;
    totals.complete = true;
    if (e.verdict == Verdict::not_run) totals.reason = "device lost: it fell off the bus";
    totals.counts = {{Verdict::declined, 5}, {e.verdict, 1}};
    if (e.verdict == Verdict::declined) totals.counts = {{e.verdict, 1}};
    if (outranks && e.verdict != Verdict::conforms) totals.counts.emplace_back(Verdict::conforms, 1'000'000);
    if (!outranks) {
      // Alone: of a run in which nothing was judged it could be said that it went well.
      fill_one(scratch / "results.db", totals);
      EXPECT_EQ(exit_code(scratch / "results.db"), 2) << e.name;
      EXPECT_EQ(read_results(scratch / "results.db").verdict, e.verdict) << e.name;
      continue;
    }
    fill_one(scratch / "results.db", totals);
    EXPECT_EQ(exit_code(scratch / "results.db"), e.exit_code) << e.name;
    EXPECT_EQ(read_results(scratch / "results.db").verdict, e.verdict) << e.name;
  }
}

TEST(Verdict, ALostDeviceGivesThree) {
  const Scratch scratch;
  PropertyTotals totals;
  totals.planned = 10, totals.issued = 4, totals.counts = {{Verdict::conforms, 4}};
  totals.reason = "device lost: cuda:0 fell off the bus";
  fill_one(scratch / "results.db", totals);
  EXPECT_EQ(exit_code(scratch / "results.db"), 3);
  totals.reason = "interrupted";
  fill_one(scratch / "results.db", totals);
  EXPECT_EQ(exit_code(scratch / "results.db"), 4);
  totals.counts = {{Verdict::conforms, 3}, {Verdict::violates, 1}};
  fill_one(scratch / "results.db", totals);
  EXPECT_EQ(exit_code(scratch / "results.db"), 1);
}

TEST(Verdict, NoCaseIsNoSuccess) {
  const Scratch scratch;
  fill_one(scratch / "results.db", {});
  EXPECT_EQ(read_results(scratch / "results.db").devices.at(0).properties.at(0).verdict, Verdict::incomplete);
  EXPECT_EQ(exit_code(scratch / "results.db"), 4);
  Recorder::create(scratch / "empty.db", sample_run())->finish(0, "2026-11-21T02:14:31");
  EXPECT_EQ(exit_code(scratch / "empty.db"), 2);
}

TEST(Verdict, PlannedCasesWithoutAVerdictAreIncomplete) {
  const Scratch scratch;
  PropertyTotals totals;
  totals.planned = 100, totals.issued = 60, totals.counts = {{Verdict::conforms, 50}};
  totals.complete = true;
  fill_one(scratch / "results.db", totals, 100);
  const PropertyResult property = read_results(scratch / "results.db").devices.at(0).properties.at(0);
  EXPECT_EQ(property.counts[static_cast<size_t>(Verdict::incomplete)], 50u);
  EXPECT_EQ(property.verdict, Verdict::incomplete);
  EXPECT_EQ(property.cases(), 50u);
  EXPECT_EQ(exit_code(scratch / "results.db"), 4);
}

TEST(Verdict, ByBudgetOnlyACompletePropertyConforms) {
  const Scratch scratch;
  PropertyTotals totals;
  totals.issued = 60, totals.counts = {{Verdict::conforms, 60}}, totals.reason = "interrupted";
  fill_one(scratch / "results.db", totals);
  EXPECT_EQ(read_results(scratch / "results.db").verdict, Verdict::incomplete);
  totals.complete = true;
  fill_one(scratch / "results.db", totals);
  EXPECT_EQ(read_results(scratch / "results.db").verdict, Verdict::conforms);
}

TEST(Verdict, AProgramThatNoCommitMakesIsNoEvidence) {
  const Scratch scratch;
  for (const char* commit : {"390242e5fc41", "390242e5fc41-dirty", "unknown"}) {
    RunInfo run = sample_run();
    run.commit = commit;
    Recorder::create(scratch / "results.db", run)->finish(0, "2026-11-21T02:14:31");
    const Results results = read_results(scratch / "results.db");
    const bool is_told = std::any_of(results.findings.begin(), results.findings.end(),
                                     [](const Finding& found) { return found.kind == "no evidence"; });
    EXPECT_EQ(is_told, std::string_view(commit) != "390242e5fc41") << commit;
  }
}

TEST(Verdict, ARunInWhichNothingWasJudgedCouldNotRun) {
  const Scratch scratch;
  PropertyTotals totals;
  totals.complete = true;
  totals.counts = {{Verdict::declined, 0}}, totals.reason = "no such swizzle";
  fill_one(scratch / "results.db", totals);
  EXPECT_EQ(read_results(scratch / "results.db").verdict, Verdict::declined);
  EXPECT_EQ(exit_code(scratch / "results.db"), 2);
  totals.counts = {{Verdict::rig_broken, 0}};
  fill_one(scratch / "results.db", totals);
  EXPECT_EQ(exit_code(scratch / "results.db"), 2);
}

Results fleet(const std::vector<std::pair<std::string, std::string>>& fingerprints_and_kinds) {
  Results results;
  for (size_t d = 0; d < fingerprints_and_kinds.size(); ++d) {
    DeviceResult device;
    device.info = {
        "cuda:" + std::to_string(d), "silicon sm_90", "sm_90", "NVIDIA H200", "GPU-" + std::to_string(d), {}};
    PropertyResult property;
    property.info.name = "tma.tiled.load";
    property.planned = 10;
    property.counts[static_cast<size_t>(Verdict::conforms)] = 10;
    property.totals.complete = true;
    property.totals.fingerprint = fingerprints_and_kinds[d].first;
    if (!fingerprints_and_kinds[d].second.empty()) {
      FailureKindRow kind;
      kind.signature = fingerprints_and_kinds[d].second;
      property.kinds.push_back(kind);
    }
    device.properties.push_back(property);
    results.devices.push_back(device);
  }
  return results;
}

TEST(FleetVote, NamesTheOneThatDiffers) {
  EXPECT_TRUE(odd_ones_out(fleet({{"a", ""}, {"a", ""}, {"a", ""}})).empty());
  const auto odd = odd_ones_out(fleet({{"a", ""}, {"b", ""}, {"a", ""}}));
  ASSERT_EQ(odd.size(), 1u);
  EXPECT_NE(odd[0].find("cuda:1 (GPU-1)"), std::string::npos) << odd[0];
  EXPECT_NE(odd[0].find("tma.tiled.load"), std::string::npos) << odd[0];
  EXPECT_EQ(odd_ones_out(fleet({{"a", ""}, {"a", "s|x"}, {"a", ""}, {"a", ""}})).size(), 1u);
}

TEST(FleetVote, TwoOrATieDecideNothing) {
  EXPECT_TRUE(odd_ones_out(fleet({{"a", ""}, {"b", ""}})).empty());
  EXPECT_TRUE(odd_ones_out(fleet({{"a", ""}, {"a", ""}, {"b", ""}, {"b", ""}})).empty());
  EXPECT_TRUE(odd_ones_out(fleet({{"a", ""}, {"b", ""}, {"c", ""}})).empty());
}

}  // namespace
}  // namespace assay::report
