// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "reference/spec/questions.h"
#include "suites/run/conductor.h"
#include "suites/run/device_run.h"
#include "suites/run/judge.h"
#include "suites/run/scripted_device_test.h"
#include "suites/tensor_copy/family.h"

namespace assay::suites {
namespace {

using report::Verdict;

spec::QuestionIndex readings_question(std::string_view id) {
  return *spec::find_question(id);
}

struct ReadingsSeen {
  report::PropertyTotals totals;
  std::vector<report::ReadingRow> readings;
  uint64_t count(Verdict verdict) const {
    for (const auto& [v, n] : totals.counts)
      if (v == verdict) return n;
    return 0;
  }
  const report::ReadingRow& row(std::string_view id) const {
    for (const report::ReadingRow& r : readings)
      if (r.question == id) return r;
    throw std::out_of_range(std::string(id));
  }
};

ReadingsSeen run_property(Device& device, const char* property, uint64_t cases, int threads = 1) {
  DeviceRunOptions options;
  options.cases = cases;
  options.threads = threads;
  DeviceRun run(device, {find_property(property)}, options, {});
  run.run();
  return {run.properties()[0]->totals(), run.readings().rows()};
}

TEST(Readings, DefaultsAreConfirmedByCasesThatTellThemApart) {
  ScriptedDevice device;
  device.claim_silicon();
  const ReadingsSeen seen = run_property(device, "tma.tiled.load", 2000, 2);
  EXPECT_EQ(seen.count(Verdict::conforms), 2000u);
  for (const char* id : {"TMA-AMB-04", "TMA-AMB-05", "TMA-AMB-07", "TMA-AMB-12", "TMA-AMB-18"}) {
    EXPECT_EQ(seen.row(id).status, "default confirmed") << id;
    EXPECT_GT(seen.row(id).deciding_cases, 0u) << id;
    EXPECT_FALSE(seen.row(id).witness.empty()) << id;
  }
}

TEST(Readings, WhatNoCaseDecidesIsNotDecidedAtTheEndOfARunEither) {
  ScriptedDevice device;
  device.claim_silicon();
  const ReadingsSeen seen = run_property(device, "tma.tiled.load", 200);
  EXPECT_EQ(seen.row("AMB-01").status, "not decided") << "no load looks at it";
}

TEST(Readings, AnEmulatorConfirmsNoDefaultThatItWasBuiltWith) {
  ScriptedDevice device;
  const ReadingsSeen seen = run_property(device, "tma.tiled.load", 2000, 2);
  EXPECT_EQ(seen.row("TMA-AMB-05").status, "as modelled");
  EXPECT_GT(seen.row("TMA-AMB-05").deciding_cases, 0u);
}

/// A device that follows a reading in so many cases and ends well in all others; what the run made of it.
ReadingsSeen follow_in(int cases, bool contradicts) {
  spec::Readings rival(spec::Arch::sm_90);
  rival.choose({"TMA-AMB-05", "quiet_nan"});
  Scratch scratch;
  auto left = std::make_shared<int>(cases);
  ScriptedDevice device([=](const Case& any, RecordEnd& end, std::span<std::byte> output) mutable {
    if (end.ended != Ended::done) return;
    const auto& c = any.as<TensorCopyCase>();
    if (c.cluster_size != 1 || c.direction != CopyDirection::load) return;
    Expected by_rival, by_default;
    Scratch other;
    tiled_copy_family().predict(any, rival, scratch, by_rival);
    tiled_copy_family().predict(any, spec::Readings(spec::Arch::sm_90), other, by_default);
    if (std::equal(by_rival.bytes.begin(), by_rival.bytes.end(), by_default.bytes.begin())) return;
    // Where the two differ: the first cases follow the rival, and the others neither or the default.
    if ((*left)-- > 0)
      std::copy(by_rival.bytes.begin(), by_rival.bytes.end(), output.begin());
    else if (!contradicts)
      end = {Ended::timed_out, 0, 7, 0};
  });
  return run_property(device, "tma.tiled.load", 400);
}

TEST(Readings, OneCaseAdoptsNothing) {
  // As many cases as it takes until one tells the readings apart.
  for (uint64_t cases = 1; cases <= 400; ++cases) {
    ScriptedDevice device;
    device.readings().choose({"TMA-AMB-05", "quiet_nan"});
    const ReadingsSeen seen = run_property(device, "tma.tiled.load", cases);
    if (seen.row("TMA-AMB-05").status == "not decided") continue;
    EXPECT_EQ(seen.row("TMA-AMB-05").status, "undecided");
    EXPECT_EQ(seen.count(Verdict::adopted_reading), 0u);
    EXPECT_EQ(seen.count(Verdict::undecided), 1u);
    return;
  }
  FAIL() << "no case decides";
}

TEST(Readings, ACaseThatARivalExplainsViolatesWhereOthersDo) {
  const ReadingsSeen seen = follow_in(1, false);
  EXPECT_EQ(seen.row("TMA-AMB-05").status, "undecided");
  EXPECT_EQ(seen.count(Verdict::adopted_reading) + seen.count(Verdict::undecided), 0u);
  EXPECT_GT(seen.count(Verdict::violates), 1u);
}

TEST(Readings, APropertyThatViolatesAdoptsNothing) {
  const ReadingsSeen seen = follow_in(40, false);
  EXPECT_GT(seen.count(Verdict::violates), 0u);
  EXPECT_GE(seen.count(Verdict::undecided), 3u);
  EXPECT_EQ(seen.count(Verdict::adopted_reading), 0u);
  EXPECT_EQ(seen.row("TMA-AMB-05").status, "undecided");
}

TEST(Readings, AContradictedQuestionIsJudgedByItsDefault) {
  for (const int liars : {1, 5, 40}) {
    const ReadingsSeen seen = follow_in(liars, true);
    EXPECT_EQ(seen.count(Verdict::violates), static_cast<uint64_t>(liars)) << "those that lied, and no other";
    EXPECT_EQ(seen.count(Verdict::conforms), 400u - static_cast<uint64_t>(liars));
    const report::ReadingRow& row = seen.row("TMA-AMB-05");
    EXPECT_EQ(row.status, "contradicted");
    EXPECT_EQ(row.chosen_letter, row.default_letter);
    EXPECT_NE(row.witness.find(" decides otherwise; "), std::string::npos) << row.witness;
  }
}

TEST(Readings, ARivalThatFitsEverythingIsAdopted) {
  const std::pair<const char*, char> rivals[] = {
      {"TMA-AMB-04", 'B'}, {"TMA-AMB-05", 'C'}, {"TMA-AMB-07", 'B'}, {"TMA-AMB-12", 'C'}, {"X-17", 'A'}};
  for (const auto& [id, letter] : rivals) {
    ScriptedDevice device;
    device.readings().choose(readings_question(id), letter);
    const bool store = std::string_view(id) == "X-17";
    const ReadingsSeen seen = run_property(device, store ? "tma.tiled.store" : "tma.tiled.load", 2000, 2);
    EXPECT_EQ(seen.row(id).status, "rival adopted") << id;
    EXPECT_EQ(seen.row(id).chosen_letter, std::string(1, letter)) << id;
    EXPECT_GT(seen.count(Verdict::adopted_reading), 0u) << id;
    EXPECT_EQ(seen.count(Verdict::adopted_reading) + seen.count(Verdict::conforms), 2000u) << id;
  }
}

TEST(Readings, TwoRivalsAtOnceAreBothFound) {
  ScriptedDevice device;
  device.readings().choose({"TMA-AMB-05", "mantissa_ones"}).choose({"TMA-AMB-04", "rows_dense"});
  const ReadingsSeen seen = run_property(device, "tma.tiled.load", 2000);
  EXPECT_EQ(seen.row("TMA-AMB-05").chosen_letter, "B");
  EXPECT_EQ(seen.row("TMA-AMB-04").chosen_letter, "B");
  EXPECT_EQ(seen.count(Verdict::violates), 0u);
}

TEST(Readings, DifferentReadingsInDifferentCasesViolate) {
  spec::Readings rival(spec::Arch::sm_90);
  rival.choose({"TMA-AMB-05", "mantissa_ones"});
  Scratch scratch;
  ScriptedDevice device([&](const Case& c, RecordEnd& end, std::span<std::byte> output) {
    if (c.as<TensorCopyCase>().map.rank % 2 == 0 || end.ended != Ended::done) return;
    Expected expected;
    tiled_copy_family().predict(c, rival, scratch, expected);
    std::copy(expected.bytes.begin(), expected.bytes.end(), output.begin());
  });
  const ReadingsSeen seen = run_property(device, "tma.tiled.load", 2000);
  EXPECT_GT(seen.count(Verdict::violates), 0u);
  EXPECT_EQ(seen.row("TMA-AMB-05").status, "contradicted");
}

// A map that either of two readings refuses says that one of them holds, however often it is refused: that
// the chosen one's default does not fit holds beside the other's default alone.
TEST(Readings, CasesThatTwoReadingsExplainExcludeNeither) {
  const auto aligned = readings_question("TMA-AMB-17"), cumulative = readings_question("TMA-AMB-20");
  const Property& property = *find_property("tma.tiled.reduce.conflicts");
  ReadingSet set(spec::Arch::sm_90);
  Judge judge(spec::Arch::sm_90, set);
  Scratch scratch;
  const auto is_refused = [&](const Case& c, spec::QuestionIndex by) {
    Expected expected;
    property.family().predict(c, spec::Readings(spec::Arch::sm_90).choose(by, 'B'), scratch, expected);
    return expected.end == model::End::rejected;
  };
  Case c;
  for (uint64_t index = 0, refused = 0; refused < 3; ++index) {
    property.generate(1, property.name, index, spec::Arch::sm_90, c);
    if (!is_refused(c, aligned) || !is_refused(c, cumulative)) continue;
    ++refused;
    const Judgement judgement =
        judge.judge(property.family(), c, {{Ended::rejected, 1, 0, 0}, {}}, [] { return "a case"; });
    EXPECT_EQ(judgement.verdict, Verdict::adopted_reading) << index;
  }
  ReadingSnapshot s(spec::Arch::sm_90);
  set.snapshot(s);
  EXPECT_EQ(s.alive[aligned].size(), 2u) << s.alive[aligned];
  EXPECT_EQ(s.alive[cumulative].size(), 2u) << s.alive[cumulative];
}

/// The first case of a property to which anything may happen under the reading.
Case open_case(const Property& property, spec::QuestionIndex readings_question, char letter) {
  Scratch scratch;
  Case c;
  for (uint64_t index = 0; index < 1000; ++index) {
    property.generate(1, property.name, index, spec::Arch::sm_100, c);
    Expected expected;
    property.family().predict(c, spec::Readings(spec::Arch::sm_100).choose(readings_question, letter),
                              scratch, expected);
    if (expected.end == model::End::undefined) return c;
  }
  throw std::logic_error("no such case");
}

// The barriers of the pipeline's stages are armed by the default: by the other reading it may hang.
TEST(Readings, WhatAReadingAllowsToHangWaitsForIt) {
  const auto padded = readings_question("TMA-AMB-33");
  const Property& property = *find_property("pipeline.gemm");
  const Case c = open_case(property, padded, 'B');
  for (const Ended ended : {Ended::hung, Ended::crashed}) {
    ReadingSet set(spec::Arch::sm_100);
    const Observation seen{{ended, 0, 0, 0}, {}};
    const auto judged = [&] {
      return Judge(spec::Arch::sm_100, set).judge(property.family(), c, seen, [] { return "a case"; });
    };
    const Judgement before = judged();
    EXPECT_EQ(before.verdict, ended == Ended::hung ? Verdict::hung : Verdict::crashed);
    EXPECT_EQ(before.open, QuestionSet().set(padded)) << "the one question alone";
    set.follow_only({{padded, 'B'}});
    EXPECT_EQ(judged().verdict, Verdict::adopted_reading);
    ReadingSet other(spec::Arch::sm_100);
    other.follow_only({{padded, 'P'}});
    EXPECT_TRUE(Judge(spec::Arch::sm_100, other)
                    .judge(property.family(), c, seen, [] { return "a case"; })
                    .open.none());
  }
}

TEST(Readings, WhatNoCaseOfAPropertyDecidesIsDecidedBesideIt) {
  for (const char letter : {'P', 'B'}) {
    const std::unique_ptr<Device> device =
        open_device("emulator:sm_100a,reading=TMA-AMB-33:" + std::string(1, letter), limits_for(1));
    const ReadingsSeen seen = run_property(*device, "pipeline.scaled", 4);
    EXPECT_EQ(seen.count(Verdict::hung) + seen.count(Verdict::violates), 0u) << letter;
    const report::ReadingRow& row = seen.row("TMA-AMB-33");
    EXPECT_EQ(row.chosen_letter, std::string(1, letter));
    if (letter == 'P') continue;
    EXPECT_GT(seen.count(Verdict::adopted_reading), 0u) << "one hangs";
    EXPECT_EQ(row.status, "rival adopted");
    EXPECT_TRUE(row.witness.starts_with("tma.tiled.load@1#")) << row.witness;
  }
}

TEST(Readings, JointAssignmentsAreKeptUntilCasesPartThem) {
  ReadingSet set(spec::Arch::sm_90);
  const auto a = readings_question("TMA-AMB-04"), b = readings_question("TMA-AMB-05");
  // One case fits exactly when both are default or both are rival B: neither letter goes, their combinations
  // do.
  std::vector<Assignment> tried;
  std::vector<bool> fits;
  for (const char x : {'P', 'B', 'C'})
    for (const char y : {'P', 'B', 'C'}) {
      tried.push_back({{a, x}, {b, y}});
      fits.push_back((x == 'P' && y == 'P') || (x == 'B' && y == 'B'));
    }
  EXPECT_TRUE(set.learn(tried, fits, "first"));
  ReadingSnapshot s(spec::Arch::sm_90);
  set.snapshot(s);
  EXPECT_TRUE(s.undecided[a]);
  EXPECT_EQ(s.alive[a], "BP");
  EXPECT_EQ(s.chosen.chosen(b), 'P');
  // A second case excludes P for one of them alone: the other follows.
  EXPECT_TRUE(set.learn({{{a, 'P'}}}, {false}, "second"));
  set.snapshot(s);
  EXPECT_FALSE(s.undecided[a] || s.undecided[b]);
  EXPECT_EQ(s.chosen.chosen(b), 'B');
  EXPECT_TRUE(s.not_default[a] && s.not_default[b]);
  // Nothing is left to drop: the set refuses and stays.
  EXPECT_FALSE(set.learn({{{b, 'B'}}}, {false}, "third"));
  set.snapshot(s);
  EXPECT_EQ(s.chosen.chosen(b), 'B');
}

}  // namespace
}  // namespace assay::suites
