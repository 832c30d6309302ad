// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/bisection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

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

}  // namespace
}  // namespace assay::cuda
