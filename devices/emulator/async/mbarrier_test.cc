// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/async/mbarrier.h"

#include <gtest/gtest.h>

namespace assay::emulator {
namespace {

Mbarrier fresh(uint32_t count) {
  Mbarrier made;
  EXPECT_EQ(made.initialise(count), "");
  return made;
}

TEST(Mbarrier, FieldsLieWhereTheHeaderDrawsThem) {
  // By hand: phase 1, pending 5, transactions -2, expected 3.
  const uint64_t word = 1ull << 63 | (0x100000ull - 5) << 43 | 2ull << 21 | (0x100000ull - 3) << 1;
  const Mbarrier made = Mbarrier::decode(word);
  EXPECT_TRUE(made.phase);
  EXPECT_EQ(made.transactions, -2);
  EXPECT_EQ(made.expected, 3u);
  EXPECT_EQ(made.pending, 5u);
  EXPECT_EQ(made.encode(), word);
}

TEST(Mbarrier, EdgesSurviveTheWord) {
  for (const int32_t transactions : {0, 1, -1, Mbarrier::max_transactions, -Mbarrier::max_transactions,
                                     Mbarrier::max_pending_transactions})
    for (const uint32_t count : {1u, Mbarrier::max_count}) {
      Mbarrier made = fresh(count);
      made.transactions = transactions;
      const Mbarrier again = Mbarrier::decode(made.encode());
      EXPECT_EQ(again.transactions, transactions);
      EXPECT_EQ(again.pending, count);
      EXPECT_EQ(again.expected, count);
    }
}

TEST(Mbarrier, APhaseEndsWhenNothingIsPending) {
  Mbarrier barrier = fresh(2);
  EXPECT_EQ(barrier.expect(16), "");
  EXPECT_EQ(barrier.arrive(2, false), "");
  EXPECT_FALSE(barrier.phase);
  EXPECT_EQ(barrier.complete(15), "");
  EXPECT_FALSE(barrier.phase);
  EXPECT_EQ(barrier.complete(1), "");
  EXPECT_TRUE(barrier.phase);
  EXPECT_EQ(barrier.pending, 2u);
  EXPECT_EQ(barrier.arrive(1, true), "");
  EXPECT_EQ(barrier.arrive(1, false), "");
  EXPECT_FALSE(barrier.phase);
  EXPECT_EQ(barrier.pending, 1u) << "the thread that left is not expected again";
}

TEST(Mbarrier, BytesThatCameEarlyLetTheExpectationEndThePhase) {
  Mbarrier barrier = fresh(1);
  EXPECT_EQ(barrier.complete(64), "");
  EXPECT_EQ(barrier.arrive(1, false), "");
  EXPECT_FALSE(barrier.phase);
  EXPECT_EQ(barrier.expect(63), "");
  EXPECT_FALSE(barrier.phase);
  EXPECT_EQ(barrier.expect(1), "");
  EXPECT_TRUE(barrier.phase);
  EXPECT_EQ(barrier.pending, 1u);
}

TEST(Mbarrier, WhoeverLeavesLastEndsThePhaseAndNobodyTheNext) {
  Mbarrier barrier = fresh(2);
  EXPECT_EQ(barrier.arrive(2, true), "");
  EXPECT_TRUE(barrier.phase);
  EXPECT_EQ(barrier.pending, 0u);
  EXPECT_NE(barrier.arrive(1, false), "");
  EXPECT_EQ(barrier.expect(16), "");
  EXPECT_TRUE(barrier.phase);
}

TEST(Mbarrier, TokensTellThePendingCount) {
  Mbarrier barrier = fresh(300);
  EXPECT_EQ(Mbarrier::pending_in(barrier.token(false)), 300u);
  EXPECT_EQ(barrier.token(true), barrier.token(false) | 1);
  EXPECT_EQ(Mbarrier::pending_in(0), 1u << 20);
}

TEST(Mbarrier, MisuseIsSaidAndChangesNothing) {
  Mbarrier barrier = fresh(1);
  const uint64_t before = barrier.encode();
  EXPECT_NE(barrier.arrive(2, false), "");
  EXPECT_NE(barrier.expect(1 << 20), "");
  EXPECT_NE(barrier.complete(1 << 20), "");
  EXPECT_NE(barrier.initialise(0), "");
  EXPECT_NE(barrier.initialise(1 << 20), "");
  EXPECT_NE(barrier.arrive_expecting(1 << 20, false), "");
  EXPECT_EQ(barrier.arrive(0, false), "");
  EXPECT_EQ(barrier.encode(), before);
}

}  // namespace
}  // namespace assay::emulator
