// SPDX-License-Identifier: Apache-2.0
#include "generators/barrier/sequence_cases.h"

#include <gtest/gtest.h>

#include <set>

#include "generators/simpler_cases.h"
#include "reference/model/barrier/machine.h"
#include "reference/model/barrier/mbarrier.h"

namespace assay::gen {
namespace {

using SequenceMaker = void (*)(const CaseId&, SequenceCase&);
constexpr SequenceMaker sequence_makers[] = {make_barrier_sequence, make_tmem_sequence};

TEST(Sequences, EveryStepIsAllowedAndEveryOpIsDrawn) {
  for (const SequenceMaker make : sequence_makers) {
    std::set<uint32_t> ops;
    uint64_t steps = 0;
    SequenceCase c;
    for (uint64_t index = 0; index < 500; ++index) {
      make({7, "sequences", index, spec::Arch::sm_100}, c);
      ASSERT_GT(c.count, 0u);
      ASSERT_EQ(model::legal_steps(c), c.count) << index;
      steps += c.count;
      for (uint32_t i = 0; i < c.count; ++i) ops.insert(c.steps[i].op);
    }
    EXPECT_EQ(ops.size(), c.machine == SequenceMachine::barriers ? barrier_ops : tmem_ops);
    EXPECT_GT(steps, 500u * 12);
  }
}

/// Programs among the first 2000 of which the machine says what is asked for before or after a step.
template <typename Asked>
int programs_with(Asked asked) {
  int found = 0;
  SequenceCase c;
  for (uint64_t index = 0; index < 2000; ++index) {
    make_barrier_sequence({11, "barrier.sequence", index, spec::Arch::sm_90}, c);
    model::BarrierMachine machine;
    bool has = false;
    for (uint32_t i = 0; i < c.count; ++i) {
      const model::Mbarrier* const object = machine.find(c.steps[i].target);
      const model::Mbarrier before = object == nullptr ? model::Mbarrier() : *object;
      machine.step(c.steps[i]);
      const model::Mbarrier* const after = machine.find(c.steps[i].target);
      has |= after != nullptr && asked(static_cast<BarrierOp>(c.steps[i].op), c.steps[i], before, *after);
    }
    found += has;
  }
  return found;
}

TEST(Sequences, ReachWhatABarrierCanGoThrough) {
  using model::Mbarrier;
  using Step = SequenceStep;
  EXPECT_GT(programs_with([](BarrierOp op, const Step&, const Mbarrier& before, const Mbarrier& after) {
              return op == BarrierOp::expect_tx && after.phase() != before.phase();
            }),
            20)
      << "an expectation that ends the phase";
  EXPECT_GT(programs_with([](BarrierOp, const Step&, const Mbarrier&, const Mbarrier& after) {
              return after.bytes() < 0;
            }),
            200)
      << "bytes that come before they are expected";
  EXPECT_GT(programs_with([](BarrierOp, const Step&, const Mbarrier& before, const Mbarrier& after) {
              return before.count() != 0 && after.count() == 0;
            }),
            200)
      << "a barrier that all have left";
  EXPECT_GT(programs_with([](BarrierOp op, const Step&, const Mbarrier& before, const Mbarrier& after) {
              return op == BarrierOp::arrive && before.count() > 255 && after.phase() != before.phase();
            }),
            50)
      << "a phase of more than 255 arrivals";
  EXPECT_GT(programs_with([](BarrierOp op, const Step& step, const Mbarrier&, const Mbarrier&) {
              return op == BarrierOp::arrive_expect_tx && step.amount == 0;
            }),
            50)
      << "an arrival that expects no bytes";
  EXPECT_GT(programs_with([](BarrierOp op, const Step& step, const Mbarrier& before, const Mbarrier& after) {
              return step.column != 0 && op == BarrierOp::arrive && after.phase() != before.phase();
            }),
            50)
      << "a phase that another CTA ends";
}

// Each operation without a state space too, and each way in which copies arrive: when one arrival is missing
// and when several are.
TEST(Sequences, NameTheirPlacesByGenericAddressesToo) {
  for (const SequenceMaker make : sequence_makers) {
    std::set<uint32_t> generic, plain;
    SequenceCase c;
    for (uint64_t index = 0; index < 500; ++index) {
      make({7, "sequences", index, spec::Arch::sm_100}, c);
      for (uint32_t i = 0; i < c.count; ++i) (c.steps[i].is_generic ? generic : plain).insert(c.steps[i].op);
    }
    const bool is_barriers = c.machine == SequenceMachine::barriers;
    EXPECT_EQ(generic.size(), is_barriers ? barrier_ops - 1 : 3u);
    EXPECT_EQ(plain.size(), is_barriers ? barrier_ops : tmem_ops);
  }
  // More than 32 phases, of one arrival and of several.
  for (const bool is_one : {false, true})
    EXPECT_GT(programs_with([&](BarrierOp op, const SequenceStep& step, const model::Mbarrier&,
                                const model::Mbarrier&) {
                return op == BarrierOp::pass_phases && phases_of(step.amount) > 32 &&
                       (phase_arrivals(step.amount) == 1) == is_one;
              }),
              3);
  for (const BarrierOp wanted : {BarrierOp::copies_arrive, BarrierOp::copies_arrive_noinc})
    for (const bool is_one : {false, true})
      EXPECT_GT(
          programs_with([&](BarrierOp op, const SequenceStep& step, const model::Mbarrier&,
                            const model::Mbarrier&) { return op == wanted && (step.amount == 1) == is_one; }),
          20);
}

// With copies under way, with none at all and behind complete ones; and in clusters of every size beside
// barriers that nobody names.
TEST(Sequences, LetNoCopiesArriveAndHaveBystanders) {
  std::set<std::pair<uint32_t, uint32_t>> ways;
  std::set<std::pair<uint32_t, bool>> clusters;
  SequenceCase c;
  for (uint64_t index = 0; index < 1000; ++index) {
    make_barrier_sequence({7, "sequences", index, spec::Arch::sm_100}, c);
    for (uint32_t i = 0; i < c.count; ++i)
      if (is_of_copies(static_cast<BarrierOp>(c.steps[i].op)))
        ways.emplace(c.steps[i].op, c.steps[i].idle_copies);
    EXPECT_TRUE(c.needs_cluster() || !c.has_bystanders) << index;
    if (c.needs_cluster()) clusters.emplace(c.cluster_size, c.has_bystanders);
  }
  EXPECT_EQ(ways.size(), 2 * idle_copies_ways);
  EXPECT_EQ(clusters.size(), 6u);
}

// Every instruction that writes behind the thread's back, by its own CTA and by another, in clusters alone.
// Barriers of several arrivals too.
TEST(Sequences, LetBytesArrive) {
  std::set<std::pair<model::AsyncOp, bool>> own, afar;
  int of_several = 0;
  SequenceCase c;
  for (uint64_t index = 0; index < 12000; ++index) {
    make_barrier_sequence({7, "sequences", index, spec::Arch::sm_90}, c);
    model::BarrierMachine machine;
    for (uint32_t i = 0; i < c.count; ++i) {
      const SequenceStep& step = c.steps[i];
      if (static_cast<BarrierOp>(step.op) == BarrierOp::bytes_arrive) {
        const auto write = model::async_write(step.amount);
        ASSERT_TRUE(write) << index;
        EXPECT_TRUE(c.needs_cluster()) << index;
        (step.column == 0 ? own : afar).emplace(write->op, step.is_generic);
        of_several += machine.find(step.target)->count() > 1;
      }
      ASSERT_TRUE(machine.step(step)) << index;
    }
  }
  EXPECT_EQ(own.size(), 2 * model::async_ops - 1);
  EXPECT_EQ(afar.size(), 2 * model::async_ops - 1);
  EXPECT_GT(of_several, 300);
}

// Lanes that name two barriers, and four, with every kind of step that several may execute.
TEST(Sequences, LetLanesNameBarriersOfTheirOwn) {
  std::set<std::pair<uint32_t, uint32_t>> seen;
  std::set<uint32_t> ops;
  SequenceCase c;
  for (uint64_t index = 0; index < 4000; ++index) {
    make_barrier_sequence({7, "sequences", index, spec::Arch::sm_90}, c);
    for (uint32_t i = 0; i < c.count; ++i) {
      if (c.steps[i].apart == 0) continue;
      EXPECT_NE(c.steps[i].lanes, 1u);
      seen.emplace(c.steps[i].apart, c.steps[i].column == 0);
      ops.insert(c.steps[i].op);
    }
  }
  EXPECT_EQ(seen.size(), 6u);
  EXPECT_EQ(ops.size(), 8u);
}

// A count that wraps, or a parity that sticks, shows only after several phases.
TEST(Sequences, TakeABarrierThroughManyPhases) {
  std::set<uint32_t> phases;
  SequenceCase c;
  for (uint64_t index = 0; index < 400; ++index) {
    make_barrier_sequence({11, "barrier.sequence", index, spec::Arch::sm_90}, c);
    model::BarrierMachine machine;
    uint32_t ended = 0;
    for (uint32_t i = 0; i < c.count; ++i) {
      const model::Mbarrier* const object = machine.find(0);
      const bool was_there = object != nullptr, phase = was_there && object->phase();
      machine.step(c.steps[i]);
      const model::Mbarrier* const after = machine.find(0);
      ended = after == nullptr ? 0 : ended + (was_there && after->phase() != phase);
      phases.insert(ended);
    }
  }
  for (uint32_t wanted = 1; wanted <= 17; ++wanted) EXPECT_TRUE(phases.contains(wanted)) << wanted;
}

// What the tensor core brings into order alone: a product that adds to columns which a copy of 4x256b
// changes, and a copy behind products that no later product waits for.
TEST(Sequences, PutCopiesBeforeAndBehindProducts) {
  constexpr uint32_t shapes = 6, of_4x256b = 1;
  int before = 0, behind = 0;
  SequenceCase c;
  for (uint64_t index = 0; index < 1600; ++index) {
    make_tmem_sequence({1, "tmem.sequence", index, spec::Arch::sm_100}, c);
    bool adds = false, comes_last = false;
    for (uint32_t i = 1; i < c.count; ++i) {
      const SequenceStep &one = c.steps[i - 1], &next = c.steps[i];
      const auto op = static_cast<TmemOp>(one.op), then = static_cast<TmemOp>(next.op);
      adds |= op == TmemOp::copy && one.amount % shapes == of_4x256b && then == TmemOp::multiply &&
              next.amount % 2 == 1 && one.target == next.target;
      comes_last |= op == TmemOp::multiply && then == TmemOp::copy && i + 1 < c.count &&
                    static_cast<TmemOp>(c.steps[i + 1].op) == TmemOp::commit;
    }
    before += adds;
    behind += comes_last;
  }
  EXPECT_GT(before, 60);
  EXPECT_GT(behind, 15);
}

// Of every size, alone and beside others, given back by each warp; and where they are only to be had once
// another warp has given something back.
TEST(Sequences, AllocationsOfEverySizeAndSomeThatWait) {
  std::set<uint32_t> allocated, waited, warps;
  int waits = 0;
  SequenceCase c;
  for (uint64_t index = 0; index < 1000; ++index) {
    make_tmem_sequence({1, "tmem.sequence", index, spec::Arch::sm_100}, c);
    for (uint32_t i = 0; i < c.count; ++i) {
      const SequenceStep& step = c.steps[i];
      if (static_cast<TmemOp>(step.op) == TmemOp::allocate) allocated.insert(step.amount);
      if (static_cast<TmemOp>(step.op) == TmemOp::deallocate) warps.insert(step.column);
      if (static_cast<TmemOp>(step.op) != TmemOp::exchange) continue;
      waited.insert(step.amount);
      ++waits;
    }
  }
  EXPECT_EQ(allocated, (std::set<uint32_t>{32, 64, 128, 256, 512}));
  EXPECT_EQ(warps, (std::set<uint32_t>{0, 1, 2, 3}));
  EXPECT_TRUE(waited.contains(256) && waited.contains(512));
  EXPECT_GT(waits, 50);
}

// Sixty draws in a row that an empty program allows none of: one in 80,000 programs of barriers.
TEST(Sequences, NoneIsEmptyHoweverUnluckyItsDraws) {
  SequenceCase c;
  make_barrier_sequence({20261122, "barrier.sequence", 85728, spec::Arch::sm_90}, c);
  EXPECT_GT(c.count, 0u);
  ASSERT_EQ(model::legal_steps(c), c.count);
}

TEST(Sequences, TheSameIdMakesTheSameProgram) {
  for (const SequenceMaker make : sequence_makers) {
    SequenceCase a, b;
    make({1, "sequences", 33, spec::Arch::sm_90}, a);
    b.steps.fill({9, 9, 9, 9});
    make({1, "sequences", 33, spec::Arch::sm_90}, b);
    EXPECT_EQ(a, b);
  }
}

/// Down the tree as long as a property of the program holds.
TEST(Sequences, ShrinkToTheStepsThatMatter) {
  const auto has = [](const SequenceCase& c, BarrierOp op) {
    for (uint32_t i = 0; i < c.count; ++i)
      if (c.steps[i].op == static_cast<uint32_t>(op)) return true;
    return false;
  };
  // Dropping out needs a barrier: init, arrive_drop.
  const auto fails = [&](const SequenceCase& c) { return has(c, BarrierOp::arrive_drop); };
  SequenceCase c;
  uint64_t index = 0;
  do make_barrier_sequence({3, "sequences", index++, spec::Arch::sm_90}, c);
  while (!fails(c) || c.count < 15);
  for (const SequenceCase& one : simpler(c)) EXPECT_EQ(model::legal_steps(one), one.count);
  const SequenceCase least = least_of(c, simpler, fails);
  EXPECT_EQ(least.count, 2u);
  EXPECT_EQ(least.steps[1], (SequenceStep{static_cast<uint32_t>(BarrierOp::arrive_drop), 0, 0, 1}));
}

}  // namespace
}  // namespace assay::gen
