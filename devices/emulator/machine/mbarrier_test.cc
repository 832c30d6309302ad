#include "devices/emulator/machine/mbarrier.h"

#include <gtest/gtest.h>

namespace assay::emulator {
namespace {

Mbarrier fresh(uint32_t count) {
  Mbarrier made;
  made.expected = made.pending = count;
  return made;
}

TEST(Mbarrier, FieldsLieWhereTheHeaderDrawsThem) {
  // By hand: phase 1, transactions -2, expected 3, pending 5.
  const uint64_t word = 1ull << 63 | 0x3ffffeull << 40 | 3ull << 20 | 5;
  const Mbarrier made = Mbarrier::decode(word);
  EXPECT_TRUE(made.phase);
  EXPECT_EQ(made.transactions, -2);
  EXPECT_EQ(made.expected, 3u);
  EXPECT_EQ(made.pending, 5u);
  EXPECT_EQ(made.encode(), word);
}

TEST(Mbarrier, EdgesSurviveTheWord) {
  for (const int32_t transactions : {0, 1, -1, Mbarrier::max_transactions, -Mbarrier::max_transactions})
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

TEST(Mbarrier, MisuseIsSaidAndChangesNothing) {
  Mbarrier barrier = fresh(1);
  const uint64_t before = barrier.encode();
  EXPECT_NE(barrier.arrive(2, false), "");
  EXPECT_NE(barrier.arrive(0, false), "");
  EXPECT_NE(barrier.expect(1 << 20), "");
  EXPECT_NE(barrier.complete(1 << 20), "");
  EXPECT_EQ(barrier.encode(), before);
}

}  // namespace
}  // namespace assay::emulator
