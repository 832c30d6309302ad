#include "reports/verdict.h"

#include <gtest/gtest.h>

#include <set>

#include "reports/results.h"
#include "reports/sample_test.h"

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
    {Verdict::not_run, "not-run", 1, JunitElement::error, "NotRun"},
    {Verdict::rig_broken, "rig-broken", 2, JunitElement::error, "Rig"},
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

TEST(Verdict, SeverityIsATotalOrderInWhichEveryFailureOutranksEverySuccess) {
  std::set<int> severities;
  for (const VerdictRow& r : verdicts) severities.insert(r.severity);
  EXPECT_EQ(severities.size(), verdicts.size());
  for (const VerdictRow& bad : verdicts)
    for (const VerdictRow& good : verdicts) {
      if (!fails(bad.verdict) || fails(good.verdict)) continue;
      EXPECT_EQ(worse(bad.verdict, good.verdict), bad.verdict);
    }
  EXPECT_EQ(worse(Verdict::rig_broken, Verdict::violates), Verdict::violates);
  EXPECT_EQ(worse(Verdict::declined, Verdict::conforms), Verdict::conforms);
}

TEST(Verdict, EachOneCaseInAMillionGivesItsExitCode) {
  const Scratch scratch;
  for (const Expected& e : by_hand) {
    PropertyTotals totals;
    totals.complete = true;
    totals.counts = {{Verdict::declined, 5}, {e.verdict, 1}};
    if (!row(e.verdict).exit_code && e.verdict != Verdict::declined)
      totals.counts.emplace_back(Verdict::conforms, 999);
    if (row(e.verdict).exit_code) totals.counts.emplace_back(Verdict::conforms, 1'000'000);
    if (e.verdict == Verdict::conforms) totals.counts = {{Verdict::conforms, 1}};
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
  EXPECT_EQ(exit_code(scratch / "results.db"), 1);
}

TEST(Verdict, NoCaseIsNoSuccess) {
  const Scratch scratch;
  fill_one(scratch / "results.db", {});
  EXPECT_EQ(read_results(scratch / "results.db").devices.at(0).properties.at(0).verdict, Verdict::not_run);
  EXPECT_EQ(exit_code(scratch / "results.db"), 1);
  Recorder::create(scratch / "empty.db", sample_run())->finish(0, "2026-11-21T02:14:31");
  EXPECT_EQ(exit_code(scratch / "empty.db"), 2);
}

TEST(Verdict, PlannedCasesWithoutAVerdictAreNotRun) {
  const Scratch scratch;
  PropertyTotals totals;
  totals.planned = 100, totals.issued = 60, totals.counts = {{Verdict::conforms, 50}};
  totals.complete = true;
  fill_one(scratch / "results.db", totals, 100);
  const PropertyResult property = read_results(scratch / "results.db").devices.at(0).properties.at(0);
  EXPECT_EQ(property.counts[static_cast<size_t>(Verdict::not_run)], 50u);
  EXPECT_EQ(property.verdict, Verdict::not_run);
  EXPECT_EQ(property.cases(), 50u);
}

TEST(Verdict, ByBudgetOnlyACompletePropertyConforms) {
  const Scratch scratch;
  PropertyTotals totals;
  totals.issued = 60, totals.counts = {{Verdict::conforms, 60}}, totals.reason = "interrupted";
  fill_one(scratch / "results.db", totals);
  EXPECT_EQ(read_results(scratch / "results.db").verdict, Verdict::not_run);
  totals.complete = true;
  fill_one(scratch / "results.db", totals);
  EXPECT_EQ(read_results(scratch / "results.db").verdict, Verdict::conforms);
}

TEST(Verdict, ADeclinedPropertyNeedsNoCase) {
  const Scratch scratch;
  PropertyTotals totals;
  totals.complete = true;
  totals.counts = {{Verdict::declined, 0}}, totals.reason = "no such swizzle";
  fill_one(scratch / "results.db", totals);
  EXPECT_EQ(read_results(scratch / "results.db").verdict, Verdict::declined);
  EXPECT_EQ(exit_code(scratch / "results.db"), 0);
  totals.counts = {{Verdict::rig_broken, 0}};
  fill_one(scratch / "results.db", totals);
  EXPECT_EQ(exit_code(scratch / "results.db"), 2);
}

}  // namespace
}  // namespace assay::report
