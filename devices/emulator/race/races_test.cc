// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/race/races.h"

#include <gtest/gtest.h>

namespace assay::emulator::race {
namespace {

TEST(RaceClock, KnowsAWarpOnceAllItsLanesAreKnown) {
  Clock clock;
  clock.learn({3, 0x0000ffff, 5}, ~0u);
  EXPECT_TRUE(clock.knows({3, 1, 5}));
  EXPECT_FALSE(clock.knows({3, 1u << 16, 1}));
  EXPECT_FALSE(clock.knows({3, 1, 6}));
  clock.learn({3, 0xffff0000, 7}, ~0u);
  EXPECT_TRUE(clock.knows({3, ~0u, 5}));
  EXPECT_TRUE(clock.knows({3, 1u << 31, 7}));
  EXPECT_FALSE(clock.knows({3, 1, 7}));
}

TEST(RaceClock, JoinsToTheLaterOfEach) {
  Clock one, other;
  one.learn({0, 1, 9}, 1);
  one.learn({1, 2, 4}, ~0u);
  other.learn({0, 1, 3}, 1);
  other.learn({1, ~0u, 2}, ~0u);
  one.join(other);
  EXPECT_TRUE(one.knows({0, 1, 9}));
  EXPECT_TRUE(one.knows({1, ~0u, 2}));
  EXPECT_TRUE(one.knows({1, 2, 4}));
  EXPECT_FALSE(one.knows({1, 1, 3}));
}

TEST(RaceClock, NeverForgetsWhenThereIsMuchToKeepApart) {
  Clock clock;
  for (uint32_t i = 0; i < 1000; ++i) clock.learn({static_cast<Component>(i), 1u << i % 31, i + 1}, ~0u);
  for (uint32_t i = 0; i < 1000; ++i)
    EXPECT_TRUE(clock.knows({static_cast<Component>(i), 1u << i % 31, i + 1})) << i;
}

/// Two CTAs of 64 threads, without a launch.
class RacesOfThreads : public testing::Test {
 protected:
  void store(uint32_t cta, uint32_t thread, uint32_t address, uint32_t line) {
    races.access(address, 4, {cta, thread, line}, true, {});
  }
  void load(uint32_t cta, uint32_t thread, uint32_t address, uint32_t line) {
    races.access(address, 4, {cta, thread, line}, false, {});
  }
  std::vector<Race> found;
  Grid grid;
  Races races{2, 64, 0, grid, [this](const Race& race) { found.push_back(race); }};
};

TEST_F(RacesOfThreads, NameBothEnds) {
  store(0, 5, 1024, 11);
  load(1, 40, 1024, 22);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first.issuer.line, 11u);
  EXPECT_EQ(found[0].first.issuer.thread, 5u);
  EXPECT_EQ(found[0].first.issuer.cta_rank, 0u);
  EXPECT_EQ(found[0].second.issuer.line, 22u);
  EXPECT_EQ(found[0].second.issuer.thread, 40u);
  EXPECT_EQ(found[0].address, 1024u);
  EXPECT_EQ(
      in_words(found[0], "cta (1,0,0) thread 40", "cta (0,0,0) thread 5"),
      "the load of cta (1,0,0) thread 40 meets the store of cta (0,0,0) thread 5 at PTX line 11, and nothing "
      "orders the two; barrier.cluster.arrive and .wait between the two orders them");
  Race named = found[0];
  named.first.instruction = "tcgen05.dealloc";
  named.second.instruction = "tcgen05.mma", named.second.is_operation = true;
  EXPECT_EQ(in_words(named, "A", "B").substr(0, 76),
            "the asynchronous read by tcgen05.mma of A meets the tcgen05.dealloc of B at ");
}

TEST_F(RacesOfThreads, AreToldOnceForAPlaceAndTheWriteIsForgotten) {
  store(0, 5, 1024, 11);
  load(0, 40, 1024, 22);
  load(0, 41, 1024, 22);
  EXPECT_EQ(found.size(), 1u);
}

TEST_F(RacesOfThreads, AreNoneBetweenThreadsThatMet) {
  store(0, 5, 1024, 11);
  for (const uint32_t warp : {0u, 1u}) races.order.cta_arrives({0, warp, ~0u}, 0);
  races.order.cta_completes(0, 0, true);
  for (const uint32_t warp : {0u, 1u}) races.order.cta_leaves({0, warp, ~0u}, 0, true);
  store(0, 40, 1024, 22);
  EXPECT_TRUE(found.empty());
}

TEST_F(RacesOfThreads, AreSeenByEachByteAlone) {
  races.access(1024, 1, {0, 0, 1}, true, {});
  races.access(1025, 1, {0, 32, 2}, true, {});
  EXPECT_TRUE(found.empty());
  races.access(1025, 1, {0, 0, 3}, false, {});
  EXPECT_EQ(found.size(), 1u);
}

TEST_F(RacesOfThreads, MeetAReaderBehindWhichManyHaveRead) {
  for (const uint32_t warp : {0u, 1u, 2u, 3u}) load(warp / 2, warp % 2 * 32, 1024, 10 + warp);
  for (const uint32_t warp : {1u, 2u, 3u}) races.order.cluster_arrives({warp / 2, warp % 2, ~0u}, true);
  races.order.cluster_completes();
  races.order.cluster_leaves({1, 1, ~0u});
  store(1, 32, 1024, 20);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first.issuer.line, 10u);
}

TEST_F(RacesOfThreads, AreBetweenLanesThatReadOnePlaceAsAWarp) {
  store(0, 3, 1024, 11);
  races.access(1024, 4, {0, 0, ~0u}, 12, false, {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].first.issuer.thread, 3u);
  EXPECT_NE(found[0].second.issuer.thread, 3u);
}

}  // namespace
}  // namespace assay::emulator::race
