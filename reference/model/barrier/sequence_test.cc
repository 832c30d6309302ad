// SPDX-License-Identifier: Apache-2.0
#include "reference/model/barrier/machine.h"

#include <gtest/gtest.h>

#include <bit>
#include <nlohmann/json.hpp>

#include "reference/model/barrier/mbarrier.h"
#include "reference/model/tmem/machine.h"

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
struct Predicted {
  std::vector<uint32_t> output, defined;
};
Predicted predicted(const SequenceCase& c, spec::Arch arch) {
  Predicted made{std::vector<uint32_t>(output_words(c.machine)),
                 std::vector<uint32_t>(output_words(c.machine))};
  EXPECT_EQ(predict_sequence(c, spec::Readings(arch), made.output, made.defined), End::done)
      << legal_steps(c);
  return made;
}
std::vector<uint32_t> answers(const SequenceCase& c) {
  return predicted(c, spec::Arch::sm_90).output;
}
/// What the steps of a program of barriers answer, on sm_90.
std::vector<uint64_t> step_answers(std::vector<SequenceStep> steps) {
  const size_t count = steps.size();
  const auto out = answers(program(SequenceMachine::barriers, std::move(steps)));
  std::vector<uint64_t> made;
  for (size_t i = 0; i < count; ++i) made.push_back(uint64_t{out[2 * i + 1]} << 32 | out[2 * i]);
  return made;
}
/// The state word, put together by hand from the fields of h200, MB-01.
constexpr uint64_t word(uint64_t phase, uint64_t pending, uint64_t minus_bytes, uint64_t expected) {
  return phase << 63 | ((1u << 20) - pending) % (1u << 20) << 43 | minus_bytes % (1u << 21) << 21 |
         ((1u << 20) - expected) % (1u << 20) << 1;
}
constexpr uint64_t token(uint64_t phase, uint64_t pending) {
  return word(phase, pending, 0, 0);
}

// Worked out by hand from the text of PTX.
TEST(BarrierPrograms, APhaseEndsWhenAllHaveArrivedAndAllBytesHaveCome) {
  const auto out = answers(
      program(SequenceMachine::barriers,
              {bar(BarrierOp::init, 2), bar(BarrierOp::test_parity, 1), bar(BarrierOp::arrive_expect_tx, 64),
               bar(BarrierOp::arrive, 1), bar(BarrierOp::test_parity, 0), bar(BarrierOp::complete_tx, 63),
               bar(BarrierOp::test_state), bar(BarrierOp::complete_tx, 1), bar(BarrierOp::test_state),
               bar(BarrierOp::test_parity, 0), bar(BarrierOp::test_parity, 1)}));
  // Of the arrivals the state: two pending and no bytes, then one and 64 bytes.
  const uint64_t first = token(0, 2), second = token(0, 1) | (uint64_t{0x1fffc0} << 21 >> 32 << 32);
  const std::vector<uint64_t> expected{2, 1, first, second, 0, 2, 0, 2, 1, 1, 0};
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(uint64_t{out[2 * i + 1]} << 32 | out[2 * i], expected[i]) << i;
  EXPECT_EQ(out[22], ~0u);
  EXPECT_EQ(out[48], 1u);   // the phase of parity 0 is over
  EXPECT_EQ(out[49], ~0u);  // no such barrier
}

SequenceCase on_word(uint64_t word, std::vector<SequenceStep> steps) {
  SequenceCase c = program(SequenceMachine::barriers, std::move(steps));
  c.is_found = true;
  c.found_word = word;
  return c;
}

// The word of a barrier put together by hand, which no init wrote.
TEST(BarrierPrograms, GoOnWithAWordThatTheyFind) {
  const uint64_t found = word(1, 2, 0, 3);
  const SequenceCase c =
      on_word(found, {bar(BarrierOp::test_parity, 0), bar(BarrierOp::arrive, 1), bar(BarrierOp::arrive, 1),
                      bar(BarrierOp::test_parity, 1), bar(BarrierOp::read_word)});
  const auto out = answers(c);
  const auto answer = [&](uint32_t i) { return uint64_t{out[2 * i + 1]} << 32 | out[2 * i]; };
  EXPECT_EQ(answer(0), 1u);
  EXPECT_EQ(answer(1), token(1, 2));
  EXPECT_EQ(answer(2), token(1, 1));
  EXPECT_EQ(answer(3), 1u);
  EXPECT_EQ(answer(4), word(0, 3, 0, 3));
}

TEST(BarrierPrograms, OnAWordThatNoBarrierHasFail) {
  const auto end = [](const SequenceCase& c) {
    std::vector<uint32_t> output(output_words(c.machine)), defined(output.size());
    return predict_sequence(c, spec::Readings(spec::Arch::sm_90), output, defined);
  };
  for (const BarrierOp op :
       {BarrierOp::test_parity, BarrierOp::try_parity, BarrierOp::expect_tx, BarrierOp::complete_tx})
    for (const uint64_t found : {~uint64_t{0}, uint64_t{1} << 42})
      EXPECT_EQ(end(on_word(found, {bar(op)})), End::launch_failed) << static_cast<int>(op);
  // What an inval gives back is the word, bits 42 and 0 too.
  const auto out = answers(on_word(~uint64_t{0}, {bar(BarrierOp::read_word)}));
  EXPECT_EQ(uint64_t{out[1]} << 32 | out[0], ~uint64_t{0});
  EXPECT_EQ(end(on_word(~uint64_t{0}, {bar(BarrierOp::init, 1), bar(BarrierOp::arrive, 1)})), End::done);
  // More arrivals than the word lacks; and a step behind the one that fails.
  EXPECT_EQ(end(on_word(0, {bar(BarrierOp::arrive, 1)})), End::launch_failed);
  EXPECT_EQ(legal_steps(on_word(0, {bar(BarrierOp::arrive, 1), bar(BarrierOp::test_parity)})), 0u);
  // Only barrier 0 is found.
  EXPECT_EQ(end(on_word(0, {bar(BarrierOp::test_parity, 0, 1)})), End::undefined);
}

// The arrival at the end of a copy comes when it comes: only the end of the phase is certain.
TEST(BarrierPrograms, CopiesArriveWhereNothingElseIsMissing) {
  const auto after = [](BarrierOp op, uint32_t amount) {
    return std::vector{bar(BarrierOp::init, 3), bar(BarrierOp::arrive, 1), bar(op, amount),
                       bar(BarrierOp::test_parity, 0), bar(BarrierOp::arrive, 3)};
  };
  for (const BarrierOp op : {BarrierOp::copies_arrive, BarrierOp::copies_arrive_noinc}) {
    const auto made = step_answers(after(op, 2));
    EXPECT_EQ(made[2], 1u);
    EXPECT_EQ(made[3], 1u);
    EXPECT_EQ(made[4], token(1, 3));
    for (const uint32_t amount : {0u, 1u, 3u})
      EXPECT_EQ(legal_steps(program(SequenceMachine::barriers, after(op, amount))), 2u) << amount;
    EXPECT_EQ(legal_steps(program(SequenceMachine::barriers,
                                  {bar(BarrierOp::init, 1), bar(BarrierOp::expect_tx, 16), bar(op, 1)})),
              2u);
  }
  const auto most = [](BarrierOp op) {
    constexpr uint32_t all = Mbarrier::most_arrivals;
    return legal_steps(program(SequenceMachine::barriers, {bar(BarrierOp::init, all), bar(op, all)}));
  };
  EXPECT_EQ(most(BarrierOp::copies_arrive), 1u);
  EXPECT_EQ(most(BarrierOp::copies_arrive_noinc), 2u);
}

// With nothing to wait for it comes all the same; what lets no copies arrive says nothing of them.
TEST(BarrierPrograms, ArrivalsWithoutCopiesComeAllTheSame) {
  for (const BarrierOp op : {BarrierOp::copies_arrive, BarrierOp::copies_arrive_noinc})
    for (uint32_t idle = 0; idle < idle_copies_ways + 1; ++idle) {
      std::vector steps{bar(BarrierOp::init, 2), bar(op, 2), bar(BarrierOp::arrive, 1)};
      steps[1].idle_copies = idle;
      if (idle == idle_copies_ways) {
        EXPECT_EQ(legal_steps(program(SequenceMachine::barriers, steps)), 1u);
        continue;
      }
      EXPECT_EQ(step_answers(steps)[1], 1u);
      steps[2].idle_copies = 1;
      EXPECT_EQ(legal_steps(program(SequenceMachine::barriers, steps)), 2u);
    }
}

// Bytes come when they come too: they must end the phase. A bulk copy names no generic address.
TEST(BarrierPrograms, BytesArriveWhereNothingElseIsMissing) {
  const AsyncWrite store{8, AsyncOp::store_b64, 5};
  const uint32_t digest = digest_after(store);
  const auto after = [&](uint32_t arrivals, uint32_t bytes, AsyncWrite write) {
    return std::vector{bar(BarrierOp::init, 3),          bar(BarrierOp::expect_tx, bytes),
                       bar(BarrierOp::arrive, arrivals), bar(BarrierOp::bytes_arrive, write.amount()),
                       bar(BarrierOp::test_parity, 0),   bar(BarrierOp::arrive, 3)};
  };
  const auto made = step_answers(after(3, 8, store));
  EXPECT_EQ(made[3], uint64_t{1} << 32 | digest);
  EXPECT_EQ(made[4], 1u);
  EXPECT_EQ(made[5], token(1, 3));
  EXPECT_EQ(legal_steps(program(SequenceMachine::barriers, after(2, 8, store))), 3u);
  EXPECT_EQ(legal_steps(program(SequenceMachine::barriers, after(3, 16, store))), 3u);
  SequenceCase copy = program(SequenceMachine::barriers, after(3, 16, {16, AsyncOp::bulk_copy, 5}));
  EXPECT_TRUE(copy.needs_cluster());
  EXPECT_EQ(legal_steps(copy), 6u);
  copy.steps[3].is_generic = true;
  EXPECT_EQ(legal_steps(copy), 3u);
}

// Lanes 0, 1 and 3: with bit 0 apart one arrives at barrier 1 and two at barrier 0; with both each at its
// own.
TEST(BarrierPrograms, LanesNameBarriersOfTheirOwn) {
  const auto after = [](uint32_t apart, uint32_t target) {
    std::vector steps{bar(BarrierOp::init, 2, 0), bar(BarrierOp::init, 2, 1),
                      bar(BarrierOp::arrive, 1, target)};
    steps[2].lanes = 0b1011, steps[2].apart = apart;
    return program(SequenceMachine::barriers, steps);
  };
  const auto out = answers(after(1, 1));
  EXPECT_EQ(out[48], 1u);  // lanes 1 and 3 end a phase of barrier 0
  EXPECT_EQ(out[49], 2u);  // lane 0 alone arrives at barrier 1
  EXPECT_EQ(answers(after(1, 0))[48], 2u);
  EXPECT_EQ(legal_steps(after(3, 0)), 2u);  // there is no barrier 3
  EXPECT_EQ(legal_steps(after(0, 0)), 2u);  // a phase would end between two lanes
  SequenceCase alone = after(1, 0);
  alone.steps[2].lanes = 1;
  EXPECT_EQ(legal_steps(alone), 2u);
}

// Barriers that no step names lack one arrival, and then none.
TEST(BarrierPrograms, BystandersAreInAllOtherCtasOfACluster) {
  SequenceStep expects = bar(BarrierOp::expect_tx, 64);
  expects.column = 2;
  SequenceCase c = program(SequenceMachine::barriers, {bar(BarrierOp::init, 1), expects});
  c.cluster_size = 4, c.issuer = 3;
  for (const bool has : {false, true}) {
    c.has_bystanders = has;
    std::vector<uint32_t> out(64), defined(64);
    ASSERT_EQ(predict_sequence(c, spec::Readings(spec::Arch::sm_90), out, defined), End::done);
    for (uint32_t rank = 0; rank < 12; ++rank)
      EXPECT_EQ(out[52 + rank], has && rank < 3 ? 0xaau : ~0u) << rank;
  }
}

TEST(BarrierPrograms, AGenericAddressIsOfWhatHasAnAddress) {
  SequenceStep init = bar(BarrierOp::init, 1), count = bar(BarrierOp::pending_count);
  init.is_generic = true;
  const std::vector steps{init, bar(BarrierOp::init, 2, 1), bar(BarrierOp::arrive_no_complete, 1, 1)};
  count.target = 1;
  auto with = steps;
  with.push_back(count);
  EXPECT_EQ(legal_steps(program(SequenceMachine::barriers, with)), 4u);
  with.back().is_generic = true;
  EXPECT_EQ(legal_steps(program(SequenceMachine::barriers, with)), 3u);
}

TEST(BarrierPrograms, WhatPtxLeavesOpenIsJudgedWhereItWasMeasured) {
  const SequenceCase c =
      program(SequenceMachine::barriers, {bar(BarrierOp::init, 2), bar(BarrierOp::arrive, 1),
                                          bar(BarrierOp::test_state), bar(BarrierOp::read_word)});
  const auto hopper = predicted(c, spec::Arch::sm_90).defined;
  // The low word of such a token is the operand of the arrival, not its state.
  for (size_t i = 0; i < hopper.size(); ++i) EXPECT_EQ(hopper[i], i == 2 ? 0u : ~0u) << i;
  const auto blackwell = predicted(c, spec::Arch::sm_100).defined;
  for (size_t i = 0; i < blackwell.size(); ++i)
    EXPECT_EQ(blackwell[i], i == 2 || i == 3 || i == 6 || i == 7 ? 0u : ~0u) << i;
}

TEST(BarrierPrograms, BytesMayComeBeforeTheyAreExpected) {
  const auto out =
      step_answers({bar(BarrierOp::init, 1), bar(BarrierOp::complete_tx, 48), bar(BarrierOp::arrive, 1),
                    bar(BarrierOp::test_parity, 0), bar(BarrierOp::expect_tx, 32),
                    bar(BarrierOp::test_parity, 0), bar(BarrierOp::expect_tx, 16),
                    bar(BarrierOp::test_parity, 0), bar(BarrierOp::test_state), bar(BarrierOp::read_word)});
  EXPECT_EQ(out[3], 0u);
  EXPECT_EQ(out[5], 0u);
  EXPECT_EQ(out[7], 1u);
  EXPECT_EQ(out[8], 1u);
  EXPECT_EQ(out[9], word(1, 1, 0, 1));
}

TEST(BarrierPrograms, WhatMaySayThatItDoesNotCompleteTellsThePendingCount) {
  const auto out = step_answers({bar(BarrierOp::init, 300), bar(BarrierOp::arrive_no_complete, 40),
                                 bar(BarrierOp::pending_count), bar(BarrierOp::arrive_drop_no_complete, 1),
                                 bar(BarrierOp::pending_count), bar(BarrierOp::arrive, 259),
                                 bar(BarrierOp::test_state), bar(BarrierOp::read_word)});
  EXPECT_EQ(out[1], token(0, 300) | 1);
  EXPECT_EQ(out[2], 300u);
  EXPECT_EQ(out[4], 260u);
  EXPECT_EQ(out[6], 1u);
  EXPECT_EQ(out[7], word(1, 299, 0, 299));
}

TEST(BarrierPrograms, TheLastToLeaveEndsThePhase) {
  const auto out = step_answers({bar(BarrierOp::init, 2), bar(BarrierOp::arrive_drop_expect_tx, 0),
                                 bar(BarrierOp::arrive_drop, 1), bar(BarrierOp::test_parity, 0),
                                 bar(BarrierOp::try_parity, 2000 | 1), bar(BarrierOp::expect_tx, 16),
                                 bar(BarrierOp::try_parity, 2000 | 1), bar(BarrierOp::read_word)});
  EXPECT_EQ(out[3], 1u);
  EXPECT_EQ(out[4], 0u);
  EXPECT_EQ(out[6], 0u);
  EXPECT_EQ(out[7], word(1, 0, (1 << 21) - 16, 0));
}

TEST(BarrierPrograms, ABarrierThatIsMadeAnewHasNoBytesPending) {
  const auto out =
      step_answers({bar(BarrierOp::init, 1), bar(BarrierOp::expect_tx, 100), bar(BarrierOp::invalidate),
                    bar(BarrierOp::init, 1), bar(BarrierOp::arrive, 1), bar(BarrierOp::test_state)});
  EXPECT_EQ(out[5], 1u);
}

TEST(BarrierPrograms, AnotherCtaArrivesWithoutAState) {
  SequenceStep remote = bar(BarrierOp::arrive, 2);
  remote.column = 1;
  const auto out = step_answers({bar(BarrierOp::init, 3), bar(BarrierOp::arrive, 1), remote,
                                 bar(BarrierOp::test_state), bar(BarrierOp::test_parity, 0)});
  EXPECT_EQ(out[2], 2u);
  EXPECT_EQ(out[3], 1u);
  EXPECT_EQ(out[4], 1u);
}

TEST(BarrierPrograms, WhoDropsOutIsNotWaitedForInTheNextPhase) {
  const auto out =
      answers(program(SequenceMachine::barriers,
                      {bar(BarrierOp::init, 3), bar(BarrierOp::arrive_drop, 1), bar(BarrierOp::arrive, 2),
                       bar(BarrierOp::arrive, 2), bar(BarrierOp::test_parity, 1)}));
  EXPECT_EQ(out[8], 1u);
}

TEST(BarrierPrograms, WhatPtxForbidsIsNotAllowed) {
  const auto legal = [](std::vector<SequenceStep> steps) {
    return legal_steps(program(SequenceMachine::barriers, std::move(steps)));
  };
  EXPECT_EQ(legal({bar(BarrierOp::arrive, 1)}), 0u);
  EXPECT_EQ(legal({bar(BarrierOp::init, 1 << 20)}), 0u);
  EXPECT_EQ(legal({bar(BarrierOp::init, 1), bar(BarrierOp::init, 1)}), 1u);
  EXPECT_EQ(legal({bar(BarrierOp::init, 2), bar(BarrierOp::arrive, 3)}), 1u);
  EXPECT_EQ(legal({bar(BarrierOp::init, 1), bar(BarrierOp::complete_tx, (1 << 20) - 1),
                   bar(BarrierOp::complete_tx, 1)}),
            2u);
  EXPECT_EQ(legal({bar(BarrierOp::init, 1), bar(BarrierOp::expect_tx, (1 << 20) - 1),
                   bar(BarrierOp::expect_tx, 1)}),
            2u);
  EXPECT_EQ(legal({bar(BarrierOp::init, 2), bar(BarrierOp::arrive_no_complete, 2)}), 1u);
  EXPECT_EQ(legal({bar(BarrierOp::init, 2), bar(BarrierOp::arrive, 1), bar(BarrierOp::pending_count)}), 2u);
  EXPECT_EQ(legal({bar(BarrierOp::init, 1), bar(BarrierOp::arrive_drop, 1), bar(BarrierOp::arrive, 1)}), 2u);
  EXPECT_EQ(legal({bar(BarrierOp::init, 1), bar(BarrierOp::try_parity, 2 * (longest_try + 1))}), 1u);
  EXPECT_EQ(legal({{static_cast<uint32_t>(BarrierOp::init), 0, 1, 1}}), 0u);
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

TEST(TmemPrograms, AReplacementGivesWhatLayThereAndLeavesWhatItStores) {
  const auto out = answers(program(
      SequenceMachine::tensor_memory,
      {tmem(TmemOp::allocate, 32), tmem(TmemOp::store, 5), tmem(TmemOp::wait_store), tmem(TmemOp::load),
       tmem(TmemOp::replace, 9), tmem(TmemOp::load), tmem(TmemOp::allocate, 32, 0, 1),
       tmem(TmemOp::store, 5, 0, 1), tmem(TmemOp::replace, 5), tmem(TmemOp::load, 0, 0, 1)}));
  const auto digest = [&](size_t step) { return out[step * 128 + 77]; };
  EXPECT_EQ(digest(4), digest(3));
  EXPECT_NE(digest(5), digest(3));
  EXPECT_EQ(digest(8), digest(5));
  EXPECT_EQ(digest(9), digest(3)) << "the replacement waits for the other allocation's store as well";
  const auto legal = [](std::vector<SequenceStep> steps) {
    return legal_steps(program(SequenceMachine::tensor_memory, std::move(steps)));
  };
  const auto alloc = tmem(TmemOp::allocate, 32), st = tmem(TmemOp::store, 5), mma = tmem(TmemOp::multiply);
  EXPECT_EQ(legal({alloc, tmem(TmemOp::replace, 9)}), 1u);      // nothing was written
  EXPECT_EQ(legal({alloc, st, tmem(TmemOp::replace, 9)}), 2u);  // no wait::st
  EXPECT_EQ(legal({alloc, mma, tmem(TmemOp::replace, 9)}), 2u);
}

TEST(TmemPrograms, AShapeGivesBackWhatItStored) {
  const auto loads = [](uint32_t stored, uint32_t loaded) {
    const auto out = answers(program(SequenceMachine::tensor_memory,
                                     {tmem(TmemOp::allocate, 32), with_form(tmem(TmemOp::store, 5), stored),
                                      tmem(TmemOp::wait_store), with_form(tmem(TmemOp::load), loaded)}));
    return std::vector<uint32_t>(out.begin() + 3 * 128, out.begin() + 4 * 128);
  };
  const std::vector<uint32_t> plain = loads(0, 0);
  for (uint32_t form = 0; form < access_forms; ++form) {
    EXPECT_EQ(loads(form, form), plain) << form;
    EXPECT_EQ(loads(0, form) == plain, form < spelling_ways) << form;
    EXPECT_EQ(loads(form, 0) == plain, form < spelling_ways) << form;
  }
}

TEST(TmemPrograms, AProductOf64RowsLeavesHalfOfTheLanes) {
  const auto twice = [](uint32_t second) {
    const auto out = answers(program(
        SequenceMachine::tensor_memory,
        {tmem(TmemOp::allocate, 32), tmem(TmemOp::multiply), tmem(TmemOp::commit), tmem(TmemOp::wait),
         tmem(TmemOp::multiply, second), tmem(TmemOp::commit), tmem(TmemOp::wait), tmem(TmemOp::load)}));
    return std::vector<uint32_t>(out.begin() + 7 * 128, out.begin() + 8 * 128);
  };
  // The same again, the negated one on top of it, and the first 64 rows of that: other rows are beside those.
  const std::vector<uint32_t> once = twice(0), gone = twice(1 | 8), half = twice(1 | 8 | 16);
  uint32_t of_zeros = 0x811c9dc5;
  for (int i = 0; i < 8; ++i) of_zeros *= 0x01000193;
  for (uint32_t lane = 0; lane < 128; ++lane) {
    EXPECT_EQ(gone[lane], of_zeros) << lane;
    const bool is_left = lane % 32 >= 16;
    EXPECT_EQ(half[lane] == once[lane], is_left) << lane;
    EXPECT_EQ(half[lane] == of_zeros, lane < 16) << lane;
  }
}

// A program never waits for itself, wherever the allocations lie.
TEST(TmemPrograms, AllocationsAreAllowedWhereTheyMustBeFound) {
  const auto alloc = [](uint32_t columns, uint32_t target) {
    return tmem(TmemOp::allocate, columns, 0, target);
  };
  const auto exchange = [](uint32_t columns, uint32_t target, uint32_t gone) {
    return tmem(TmemOp::exchange, columns, gone, target);
  };
  const auto all_legal = [](std::initializer_list<SequenceStep> steps) {
    SequenceCase c;
    c.machine = SequenceMachine::tensor_memory;
    c.count = static_cast<uint32_t>(steps.size());
    std::copy(steps.begin(), steps.end(), c.steps.begin());
    return legal_steps(c) == c.count;
  };
  EXPECT_TRUE(all_legal({alloc(512, 0)}));
  EXPECT_FALSE(all_legal({alloc(1024, 0)}));
  EXPECT_FALSE(all_legal({alloc(96, 0)}));
  EXPECT_FALSE(all_legal({alloc(512, 0), alloc(32, 1)}));
  EXPECT_TRUE(all_legal({alloc(256, 0), alloc(128, 1)}));
  // In the middle, 128 columns leave two gaps of 192.
  EXPECT_FALSE(all_legal({alloc(128, 0), alloc(256, 1)}));
  EXPECT_TRUE(all_legal({alloc(32, 0), alloc(256, 1)}));
  // It waits: 512 columns are to be had once the 64 are given back, and not before.
  EXPECT_TRUE(all_legal({alloc(64, 2), exchange(512, 0, 2), tmem(TmemOp::deallocate, 0, 3, 0)}));
  EXPECT_FALSE(all_legal({alloc(64, 2), exchange(256, 0, 2)})) << "it need not wait";
  EXPECT_FALSE(all_legal({alloc(64, 2), alloc(64, 1), exchange(512, 0, 2)})) << "it waits for ever";
  EXPECT_FALSE(all_legal({alloc(64, 2), exchange(512, 0, 1)})) << "nothing is given back";
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

TEST(Programs, AreRefusedWhereAStepIsNotAllowed) {
  const SequenceCase c =
      program(SequenceMachine::barriers, {bar(BarrierOp::init, 2, 3), bar(BarrierOp::arrive, 1, 3)});
  EXPECT_EQ(case_from_json<SequenceCase>(to_json(c)), c);
  nlohmann::json wrong = to_json(c);
  wrong["steps"][1]["amount"] = 3;
  try {
    case_from_json<SequenceCase>(wrong);
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
