// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/bisection.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <algorithm>
#include <set>

#include "devices/cuda/busy_time.h"

namespace assay::cuda {
namespace {

/// A device of which every group with a guilty record dies, and what running a batch on it to the end gives.
struct Scripted {
  std::set<uint32_t> guilty;
  bool notes = true;  ///< suspects: the guilty one and its neighbour
  std::set<uint32_t> blamed, ended;
  int groups = 0, deaths = 0;
  uint32_t unrepeated = 0;

  void run(uint32_t count) {
    Bisection bisection(count);
    while (const auto group = bisection.next()) {
      ASSERT_FALSE(group->empty());
      ASSERT_LT(++groups, 10'000);
      const auto bad = std::find_if(group->begin(), group->end(),
                                    [&](uint32_t record) { return guilty.count(record) > 0; });
      if (bad == group->end()) {
        bisection.ended_well();
        for (const uint32_t record : *group)
          EXPECT_TRUE(ended.insert(record).second) << "ran to its end twice";
        continue;
      }
      ++deaths;
      std::vector<uint32_t> suspects;
      if (notes) suspects = {*bad, *bad + 1};
      if (const auto found = bisection.faulted(suspects)) {
        EXPECT_TRUE(blamed.insert(*found).second);
      }
    }
    unrepeated = bisection.unrepeated();
  }
};

TEST(Bisection, NotesNameTheGuiltyAtOnce) {
  Scripted device{{700}};
  device.run(1000);
  EXPECT_EQ(device.blamed, std::set<uint32_t>{700});
  EXPECT_EQ(device.ended.size(), 999u);
  EXPECT_EQ(device.deaths, 2);  // in the batch, and alone
  EXPECT_EQ(device.groups, 4);  // the batch, two suspects, the others
  EXPECT_EQ(device.unrepeated, 0u);
}

TEST(Bisection, HalvesWithoutNotes) {
  Scripted device{{0, 511, 999}, false};
  device.run(1000);
  EXPECT_EQ(device.blamed, (std::set<uint32_t>{0, 511, 999}));
  EXPECT_EQ(device.ended.size(), 997u);
  EXPECT_LE(device.deaths, 3 * 11);
  EXPECT_EQ(device.unrepeated, 0u);
}

TEST(Bisection, EveryRecordGuilty) {
  for (const bool notes : {true, false}) {
    Scripted device;
    device.notes = notes;
    for (uint32_t i = 0; i < 20; ++i) device.guilty.insert(i);
    device.run(20);
    EXPECT_EQ(device.blamed, device.guilty);
    EXPECT_TRUE(device.ended.empty());
  }
}

TEST(Bisection, OneRecordIsBlamedWithoutARepeat) {
  Scripted device{{0}};
  device.run(1);
  EXPECT_EQ(device.blamed, std::set<uint32_t>{0});
  EXPECT_EQ(device.groups, 1);
}

TEST(Bisection, AGroupEndedFromOutsideRunsAgainAsItIs) {
  Bisection bisection(3);
  const auto first = bisection.next();
  bisection.again();
  EXPECT_EQ(bisection.next(), first);
  bisection.ended_well();
  EXPECT_FALSE(bisection.next());
  EXPECT_EQ(bisection.unrepeated(), 0u);
}

TEST(Bisection, NoRecords) {
  EXPECT_FALSE(Bisection(0).next());
}

TEST(Bisection, SuspectsOutsideTheGroupAreNoHelp) {
  Bisection bisection(4);
  bisection.next();
  EXPECT_FALSE(bisection.faulted({77}));
  EXPECT_EQ(bisection.next(), (std::vector<uint32_t>{0, 1}));
}

TEST(Bisection, AFaultThatNoRecordRepeatsIsCounted) {
  Bisection bisection(8);
  bisection.next();
  EXPECT_FALSE(bisection.faulted({3}));
  std::set<uint32_t> ran;
  while (const auto group = bisection.next()) {
    ran.insert(group->begin(), group->end());
    bisection.ended_well();
  }
  EXPECT_EQ(ran.size(), 8u);
  EXPECT_EQ(bisection.unrepeated(), 1u);
}

TEST(BusyTime, OverlapsCountOnce) {
  BusyTime busy;
  busy.add(1, 3);
  busy.add(2, 5);
  busy.add(8, 9);
  EXPECT_DOUBLE_EQ(busy.seconds(), 5);
  busy.add(4, 8.5);  // joins both
  EXPECT_DOUBLE_EQ(busy.seconds(), 8);
  busy.add(2, 3);  // inside
  EXPECT_DOUBLE_EQ(busy.seconds(), 8);
  busy.add(0.5, 1);  // touches the start
  EXPECT_DOUBLE_EQ(busy.seconds(), 8.5);
}

TEST(BusyTime, EmptyAndBackwardIntervalsAreNothing) {
  BusyTime busy;
  busy.add(3, 3);
  busy.add(5, 4);
  EXPECT_EQ(busy.seconds(), 0);
}

TEST(BusyTime, ManyIntervals) {
  BusyTime busy;
  for (int i = 0; i < 5000; ++i) busy.add(i, i + 0.25);
  EXPECT_NEAR(busy.seconds(), 1250, 1e-6);
}

TEST(WorkTime, CountsTimeOnACoreWhereThatIsKnown) {
  EXPECT_DOUBLE_EQ(seconds_of_work({10, {}}, {15, {}}), 5);
  EXPECT_DOUBLE_EQ(seconds_of_work({10, 3.0}, {15, 4.0}), 1) << "on a busy host";
  EXPECT_DOUBLE_EQ(seconds_of_work({10, 3.0}, {26, 3.0}), 1) << "a process that sleeps is late in the end";
  EXPECT_DOUBLE_EQ(seconds_of_work({10, 3.0}, {12, 9.0}), 2) << "of several threads";
  EXPECT_DOUBLE_EQ(seconds_of_work({10, 3.0}, {15, {}}), 5);
  EXPECT_DOUBLE_EQ(seconds_of_work({10, 3.0}, {15, 1.0}), 5) << "another process";
}

TEST(WorkTime, HardlyCountsWhileAGpuOpensContexts) {
  EXPECT_DOUBLE_EQ(excused_seconds(true, 0.02), 0.015);
  EXPECT_DOUBLE_EQ(excused_seconds(false, 0.02), 0);
  EXPECT_DOUBLE_EQ(excused_seconds(true, 10), 0) << "nobody looked, and who waits began later";
}

TEST(WorkTime, AProcessThatComputesUsesItsCore) {
  const auto before = cpu_seconds(getpid());
  ASSERT_TRUE(before);
  volatile unsigned sum = 0;
  for (unsigned i = 0; i < 100'000'000; ++i) sum = sum + i;
  EXPECT_GT(cpu_seconds(getpid()).value(), *before + 0.01);
  EXPECT_FALSE(cpu_seconds(-1));
}

}  // namespace
}  // namespace assay::cuda
