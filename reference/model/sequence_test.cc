#include "reference/model/sequence.h"

#include <gtest/gtest.h>

#include <bit>
#include <nlohmann/json.hpp>

namespace assay::model {
namespace {

SequenceCase program(SequenceMachine machine, std::vector<SequenceStep> steps) {
  SequenceCase c;
  c.machine = machine;
  c.count = static_cast<uint32_t>(steps.size());
  std::copy(steps.begin(), steps.end(), c.steps.begin());
  return c;
}
SequenceStep bar(BarrierOp op, uint32_t amount = 0, uint32_t target = 0) {
  return {static_cast<uint32_t>(op), target, 0, amount};
}
SequenceStep tmem(TmemOp op, uint32_t amount = 0, uint32_t column = 0, uint32_t target = 0) {
  return {static_cast<uint32_t>(op), target, column, amount};
}
std::vector<uint32_t> answers(const SequenceCase& c) {
  std::vector<uint32_t> output(output_words(c.machine));
  EXPECT_TRUE(predict_sequence(c, output)) << legal_steps(c);
  return output;
}

// Worked out by hand from the text of PTX.
TEST(BarrierPrograms, APhaseEndsWhenAllHaveArrivedAndAllBytesHaveCome) {
  const auto out = answers(
      program(SequenceMachine::barriers,
              {bar(BarrierOp::init, 2), bar(BarrierOp::test_parity, 1), bar(BarrierOp::arrive_expect_tx, 64),
               bar(BarrierOp::arrive, 1), bar(BarrierOp::test_parity, 0), bar(BarrierOp::complete_tx, 63),
               bar(BarrierOp::test_state), bar(BarrierOp::complete_tx, 1), bar(BarrierOp::test_state),
               bar(BarrierOp::test_parity, 0), bar(BarrierOp::test_parity, 1)}));
  const std::vector<uint32_t> expected{2, 1, 2, 2, 0, 2, 0, 2, 1, 1, 0};
  EXPECT_EQ(std::vector<uint32_t>(out.begin(), out.begin() + 11), expected);
  EXPECT_EQ(out[11], ~0u);
  EXPECT_EQ(out[24], 1u);   // the phase of parity 0 is over
  EXPECT_EQ(out[25], ~0u);  // no such barrier
}

TEST(BarrierPrograms, WhoDropsOutIsNotWaitedForInTheNextPhase) {
  const auto out =
      answers(program(SequenceMachine::barriers,
                      {bar(BarrierOp::init, 3), bar(BarrierOp::arrive_drop, 1), bar(BarrierOp::arrive, 2),
                       bar(BarrierOp::arrive, 2), bar(BarrierOp::test_parity, 1)}));
  EXPECT_EQ(out[4], 1u);
}

TEST(BarrierPrograms, WhatPtxForbidsIsNotAllowed) {
  const auto legal = [](std::vector<SequenceStep> steps) {
    return legal_steps(program(SequenceMachine::barriers, std::move(steps)));
  };
  EXPECT_EQ(legal({bar(BarrierOp::arrive, 1)}), 0u);
  EXPECT_EQ(legal({bar(BarrierOp::init, 1 << 20)}), 0u);
  EXPECT_EQ(legal({bar(BarrierOp::init, 1), bar(BarrierOp::init, 1)}), 1u);
  EXPECT_EQ(legal({bar(BarrierOp::init, 2), bar(BarrierOp::arrive, 3)}), 1u);
  EXPECT_EQ(legal({bar(BarrierOp::init, 1), bar(BarrierOp::complete_tx, 1)}), 1u);
  EXPECT_EQ(legal({bar(BarrierOp::init, 1), bar(BarrierOp::test_state)}), 1u);
  EXPECT_EQ(legal({bar(BarrierOp::init, 1), bar(BarrierOp::arrive, 1), bar(BarrierOp::test_state),
                   bar(BarrierOp::invalidate), bar(BarrierOp::test_parity, 0)}),
            4u);
}

TEST(TmemPrograms, AccessesHaveToBeCompleteBeforeWhatDependsOnThem) {
  const auto legal = [](std::vector<SequenceStep> steps) {
    return legal_steps(program(SequenceMachine::tensor_memory, std::move(steps)));
  };
  const auto alloc = tmem(TmemOp::allocate, 32), st = tmem(TmemOp::store, 5), ld = tmem(TmemOp::load),
             mma = tmem(TmemOp::multiply), again = tmem(TmemOp::multiply, 1), commit = tmem(TmemOp::commit),
             wait = tmem(TmemOp::wait), wait_st = tmem(TmemOp::wait_store),
             dealloc = tmem(TmemOp::deallocate);
  EXPECT_EQ(legal({alloc, ld}), 1u);      // nothing was written
  EXPECT_EQ(legal({alloc, st, ld}), 2u);  // no wait::st
  EXPECT_EQ(legal({alloc, st, st}), 2u);  // which of them is last?
  EXPECT_EQ(legal({alloc, st, wait_st, ld, dealloc}), 5u);
  EXPECT_EQ(legal({alloc, st, wait_st, again}), 3u);  // only half of D was written
  EXPECT_EQ(legal({alloc, mma, again, ld}), 3u);      // no commit
  EXPECT_EQ(legal({alloc, mma, commit, ld}), 3u);     // no wait
  EXPECT_EQ(legal({alloc, mma, commit, wait, ld, dealloc}), 6u);
  EXPECT_EQ(legal({alloc, mma, dealloc}), 2u);
  EXPECT_EQ(legal({alloc, commit, commit}), 2u);
}

TEST(TmemPrograms, AProductIsAddedToWhatWasThere) {
  const auto out =
      answers(program(SequenceMachine::tensor_memory,
                      {tmem(TmemOp::allocate, 32), tmem(TmemOp::multiply, 0), tmem(TmemOp::multiply, 1),
                       tmem(TmemOp::commit), tmem(TmemOp::wait), tmem(TmemOp::load, 0, 8)}));
  // Thread 0 holds row 0, columns 8 to 15, of twice A B^T: sums of (5k mod 7 - 3) * ((5n + 3k) mod 7 - 3).
  uint32_t digest = 0x811c9dc5;
  for (int n = 8; n < 16; ++n) {
    int sum = 0;
    for (int k = 0; k < 16; ++k) sum += (5 * k % 7 - 3) * ((5 * n + 3 * k) % 7 - 3);
    digest = (digest ^ std::bit_cast<uint32_t>(static_cast<float>(2 * sum))) * 0x01000193;
  }
  EXPECT_EQ(out[5 * 128], digest);
  EXPECT_EQ(out[4 * 128], ~0u);
}

TEST(Programs, AreReadBackFromJsonAndRefusedWhereAStepIsNotAllowed) {
  const SequenceCase c =
      program(SequenceMachine::barriers, {bar(BarrierOp::init, 2, 3), bar(BarrierOp::arrive, 1, 3)});
  EXPECT_EQ(sequence_case_from_json(to_json(c)), c);
  nlohmann::json wrong = to_json(c);
  wrong["steps"][1]["amount"] = 3;
  try {
    sequence_case_from_json(wrong);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(
        error.what(),
        "step 1 of the case, arrive barrier 3, 3, is not allowed in the state that the steps before it "
        "leave.");
  }
}

}  // namespace
}  // namespace assay::model
