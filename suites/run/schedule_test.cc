// SPDX-License-Identifier: Apache-2.0
#include "suites/run/schedule.h"

#include <gtest/gtest.h>

#include "suites/run/property.h"

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

}  // namespace
}  // namespace assay::suites
