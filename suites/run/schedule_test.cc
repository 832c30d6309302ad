// SPDX-License-Identifier: Apache-2.0
#include "suites/run/schedule.h"

#include <gtest/gtest.h>
#include <cmath>

#include "suites/run/property.h"
#include "suites/run/scripted_run_test.h"
#include "suites/run/timing.h"

namespace assay::suites {
namespace {

using Answer = Schedule::Answer;

struct Runs {
  PropertyRun load{*find_property("tma.tiled.load"), spec::Arch::sm_90, 1000, 1000, {}};
  PropertyRun store{*find_property("tma.tiled.store"), spec::Arch::sm_90, 1000, 1000, {}};
};

TEST(Schedule, TheFirstPieceOfAPropertyIsAloneOnTheDevice) {
  Runs runs;
  Schedule schedule({&runs.load, &runs.store}, {}, 2, 1, 0, Schedule::Clock::now, {}, true);
  Work first, second, third;
  ASSERT_EQ(schedule.next(first), Answer::work);
  EXPECT_EQ(schedule.next(second), Answer::later) << "with the first of another in flight";
  schedule.split(*first.run);
  schedule.spent(*first.run, 8, 1e-3, 1e-3);
  EXPECT_EQ(schedule.next(second), Answer::later) << "half of it is still there";
  schedule.spent(*first.run, 8, 1e-3, 1e-3);
  ASSERT_EQ(schedule.next(second), Answer::work);
  EXPECT_NE(second.run, first.run);
  schedule.spent(*second.run, 8, 1e-3, 1e-3);
  ASSERT_EQ(schedule.next(first), Answer::work);
  EXPECT_EQ(schedule.next(third), Answer::work) << "later ones go together";
}

TEST(Schedule, AFirstPieceWaitsForWhatIsInFlight) {
  Runs runs;
  Schedule schedule({&runs.load, &runs.store}, {}, 2, 1, 0, Schedule::Clock::now, {}, true);
  runs.load.next_position = 64;  // as a run that goes on
  runs.store.cost = 1;
  Work first, second;
  ASSERT_EQ(schedule.next(first), Answer::work);
  EXPECT_EQ(first.run, &runs.load);
  runs.load.cost = 2;
  EXPECT_EQ(schedule.next(second), Answer::later);
  schedule.spent(runs.load, 32, 1e-3, 1e-3);
  EXPECT_EQ(schedule.next(second), Answer::work);
  EXPECT_EQ(second.run, &runs.store);
}

TEST(Schedule, WithADeviceForEachThreadAllGoAtOnce) {
  Runs runs;
  Schedule schedule({&runs.load, &runs.store}, {}, 2, 2);
  Work first, second;
  ASSERT_EQ(schedule.next(first), Answer::work);
  ASSERT_EQ(schedule.next(second), Answer::work);
  EXPECT_NE(second.run, first.run);
}

/// The order in which the properties of cases that end processes have their batches, one at a time.
TEST(Schedule, CasesThatOpenNoDeviceComeFirstAndAlone) {
  PropertyRun faults{*find_property("tma.tiled.load.faults"), spec::Arch::sm_90, 24, 24, {}};
  PropertyRun calls{*find_property("driver.tensor_map.encode_tiled.crash"), spec::Arch::sm_90, 200, 200, {}};
  faults.sacrifice_seconds = 0.2, calls.sacrifice_seconds = 0.01;
  Schedule schedule({&faults, &calls}, {}, 16, 16, 8);
  Work work;
  for (uint64_t kept = 0; kept < 120; kept += work.end - work.begin) {
    ASSERT_EQ(schedule.next(work), Answer::work);
    ASSERT_EQ(work.run, &calls) << kept;
    Work other;
    if (kept + work.end - work.begin >= 120) {
      EXPECT_EQ(schedule.next(other), Answer::later);
    }
    schedule.spent(calls, 8, 1e-3, 1e-3);
  }
  ASSERT_EQ(schedule.next(work), Answer::work);
  EXPECT_EQ(work.run, &faults);
  Work second;
  EXPECT_EQ(schedule.next(second), Answer::work) << "several processes open the device one after the other";
  EXPECT_EQ(second.run, &faults);
}

TEST(Schedule, CallsHaveADozenCasesWhereMoreWouldTakeTheOthersTime) {
  PropertyRun faults{*find_property("tma.tiled.load.faults"), spec::Arch::sm_90, 24, 24, {}};
  PropertyRun calls{*find_property("driver.tensor_map.encode_tiled.crash"), spec::Arch::sm_90, 200, 200, {}};
  faults.sacrifice_seconds = 0.2, calls.sacrifice_seconds = 0.01;
  const auto now = Schedule::Clock::now();
  Schedule schedule({&faults, &calls}, now + std::chrono::seconds(4), 16, 16, 12, [now] { return now; });
  Work work;
  for (uint64_t kept = 0; kept < 12; kept += work.end - work.begin) {
    ASSERT_EQ(schedule.next(work), Answer::work);
    ASSERT_EQ(work.run, &calls) << kept;
    schedule.spent(calls, work.end - work.begin, 1e-3, 1e-3);
  }
  ASSERT_EQ(schedule.next(work), Answer::work);
  EXPECT_EQ(work.run, &faults);
}

TEST(HostLoad, ReadsProcLoadavg) {
  const auto sample = parse_load("8.25 4.10 2.00 11/523 40213\n");
  ASSERT_TRUE(sample);
  EXPECT_DOUBLE_EQ(sample->last_minute, 8.25);
  EXPECT_EQ(sample->runnable, 11u);
  for (const char* text : {"", "8.25", "8.25 4.10 2.00", "a b c 1/2", "-1 0 0 1/2"})
    EXPECT_FALSE(parse_load(text)) << text;
}

TEST(HostLoad, DeadlinesStretchWithTheTasksForEachCore) {
  EXPECT_DOUBLE_EQ(stretch_of({0.3, 1}, 2), 1);
  EXPECT_DOUBLE_EQ(stretch_of({8, 3}, 2), 4);
  EXPECT_DOUBLE_EQ(stretch_of({1, 12}, 2), 6) << "a burst that the mean of a minute has not seen yet";
  EXPECT_DOUBLE_EQ(stretch_of({1000, 1}, 2), 16);
  EXPECT_GE(host_stretch(), 1);
}

TEST(HostLoad, IsToldWhereMoreThanTheRunWantedTheCores) {
  HostLoad idle(2), busy(2);
  EXPECT_EQ(idle.words(), "") << "nothing is known";
  for (int i = 0; i < 10; ++i) idle.add({2, 4}), busy.add({2, i % 2 ? 12u : 5u});
  EXPECT_EQ(idle.words(), "") << "as many as a run of its own makes";
  EXPECT_NE(busy.words().find("on average 8.5 tasks were ready to run on 2 cores"), std::string::npos)
      << busy.words();
  HostLoad looked(1);
  looked.look();
}

using std::chrono::milliseconds;

/// A process of it costs much, one that only calls the driver little.
class CostlyDevice final : public ScriptedDevice {
 public:
  double sacrifice_seconds(std::string_view family) const override {
    return family.starts_with("encode") ? 0.01 : 0.2;
  }
};

milliseconds least_of(const std::vector<std::string>& properties, int devices) {
  std::vector<std::unique_ptr<Device>> some;
  for (int i = 0; i < devices; ++i) some.push_back(std::make_unique<CostlyDevice>());
  return least_budget(some, select_properties(properties));
}

TEST(LeastBudget, IsADozenCasesOfEveryPropertyThatRuns) {
  EXPECT_EQ(least_of({"tma.tiled.load"}, 1), milliseconds(100));
  EXPECT_EQ(least_of({"tma.tiled.load.faults"}, 1), milliseconds(2400));
  EXPECT_EQ(least_of({"tma.tiled.*.faults"}, 1), milliseconds(7200));
  EXPECT_EQ(least_of({"tma.gather4.load.faults"}, 1), milliseconds(0)) << "declined";
  EXPECT_EQ(least_of({"tma.tiled.load.faults", "driver.tensor_map.encode_tiled.crash"}, 1),
            milliseconds(2400 + 200))
      << "0.12 s, in tenths";
  // Properties go side by side on several devices, contexts open one after the other.
  EXPECT_EQ(least_of({"tma.tiled.load"}, 4), milliseconds(100));
  EXPECT_EQ(least_of({"tma.tiled.load.faults"}, 4), milliseconds(9600));
}

TEST(LeastBudget, IsTakenOrNamedWhereAnotherIsTooShort) {
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::make_unique<CostlyDevice>());
  const auto properties = select_properties(std::vector<std::string>{"tma.tiled.load.faults"});
  RunOptions options;
  options.budget = milliseconds(2399);
  try {
    settle_budget(options, devices, properties);
    FAIL() << "2399 ms were enough";
  } catch (const BudgetTooShort& error) {
    EXPECT_STREQ(error.what(),
                 "2.399s is too short for a dozen cases of every property; 2.4s would do, and --budget least "
                 "takes that");
  }
  options.lengthens_budget = true;
  settle_budget(options, devices, properties);
  EXPECT_EQ(options.budget, milliseconds(2400));
  options.budget = milliseconds(2500);
  settle_budget(options, devices, properties);
  EXPECT_EQ(options.budget, milliseconds(2500));
}

TEST(LeastBudget, ARefusedRunLeavesNoFolder) {
  RunOptions options;
  options.properties = {"tma.tiled.load.faults"};
  options.out = report::scratch_path("refused_budget");
  options.budget = milliseconds(1);
  std::vector<std::unique_ptr<Device>> devices;
  devices.push_back(std::make_unique<CostlyDevice>());
  EXPECT_THROW(run_on(options, std::move(devices)), BudgetTooShort);
  EXPECT_FALSE(std::filesystem::exists(options.out));
}

/// Time goes by as cases of 0.2 s are back, one at a time.
struct Minute {
  Schedule::Clock::time_point now = Schedule::Clock::now();
  PropertyRun load{*find_property("tma.tiled.load"), spec::Arch::sm_90, 0, ~uint64_t{0}};
  PropertyRun faults{*find_property("tma.tiled.load.faults"), spec::Arch::sm_90, 0, ~uint64_t{0}};
  PropertyRun uses{*find_property("tma.map.use.faults"), spec::Arch::sm_90, 0, ~uint64_t{0}};

  /// Cases of the three after a run of so many seconds.
  void run(double seconds) {
    faults.sacrifice_seconds = uses.sacrifice_seconds = 0.2;
    const auto whole =
        std::chrono::duration_cast<Schedule::Clock::duration>(std::chrono::duration<double>(seconds));
    Schedule schedule(
        {&load, &faults, &uses}, now + whole, 1, 16, 0, [this] { return now; }, {}, false, 1);
    for (Work work; schedule.next(work) == Schedule::Answer::work;) {
      const double each = work.run == &load ? 1e-3 : work.run == &faults ? 0.1 : 0.3;
      const double took = each * static_cast<double>(work.end - work.begin);
      now += std::chrono::duration_cast<Schedule::Clock::duration>(std::chrono::duration<double>(took));
      schedule.spent(*work.run, work.end - work.begin, took, 0);
    }
  }
};

TEST(Schedule, KeepsTimeForADozenCasesThatEndAProcessInAMinuteAndForAHundredInTen) {
  Minute minute;
  minute.run(60);
  EXPECT_GE(minute.faults.next_position, 12u);
  EXPECT_GE(minute.uses.next_position, 12u);
  EXPECT_GT(minute.load.next_position, 20000u);
  Minute ten;
  ten.run(600);
  EXPECT_GE(ten.faults.next_position, 100u);
  EXPECT_GE(ten.uses.next_position, 100u);
  EXPECT_GT(ten.load.next_position, 200000u);
}

TEST(Schedule, GivesAllOthersTheirFirstCasesWhereTheKeptTimeIsAllThereIs) {
  Minute least;
  least.run(4.7);
  EXPECT_GE(least.load.next_position, 12u);
  EXPECT_GE(least.faults.next_position, 12u);
  EXPECT_GE(least.uses.next_position, 12u);
}

TEST(Schedule, EndsEarlierOnceForFailures) {
  Minute run;
  Schedule schedule({&run.load}, run.now + std::chrono::seconds(60), 1, 1, 0, [&] { return run.now; });
  schedule.end_earlier(std::chrono::seconds(6));
  schedule.end_earlier(std::chrono::seconds(6));
  Work work;
  run.now += std::chrono::milliseconds(53'900);
  ASSERT_EQ(schedule.next(work), Schedule::Answer::work);
  schedule.spent(run.load, work.end - work.begin, 1e-3, 0);
  run.now += std::chrono::milliseconds(200);
  EXPECT_EQ(schedule.next(work), Schedule::Answer::done);
}

TEST(WorkLeft, CountsEachPropertyAtItsOwnCost) {
  WorkLeft left;
  EXPECT_FALSE(left.time(1).has_value());
  left.add(1000, 0, 2);  // a thousand cases took two seconds: nothing of them is left
  left.add(10, 90, 8);   // ten of a hundred took eight
  // 72 seconds of work, of which two threads do ten in five seconds.
  EXPECT_EQ(left.time(5), 36.0);
  // Cases of which none is known yet cost what others cost on the average.
  left.add(0, 101, 0);
  EXPECT_DOUBLE_EQ(*left.time(5), 36.0 + 0.5);
}

/// The rate of a run whose properties differ by a factor of a thousand comes and goes.
TEST(Countdown, DoesNotJump) {
  Countdown countdown;
  double before = countdown.next(100, 0);
  EXPECT_EQ(before, 100);
  double least = before, most = before;
  for (int i = 1; i < 100; ++i) {
    const double honest = 100 - 0.5 * i;
    const double shown = countdown.next(i % 2 == 0 ? honest * 1.6 : honest * 0.6, 0.5);
    EXPECT_LE(std::abs(shown - before), 8) << i;
    EXPECT_LE(std::abs(shown - honest), 20) << i;
    least = std::min(least, shown), most = std::max(most, shown);
    before = shown;
  }
  EXPECT_LE(most, 110);
  // It follows what stays so.
  for (int i = 0; i < 40; ++i) before = countdown.next(300, 0);
  EXPECT_NEAR(before, 300, 5);
  EXPECT_EQ(Countdown().next(0, 0.5), 0);
}

}  // namespace
}  // namespace assay::suites
