#include "generators/sequence_cases.h"

#include <gtest/gtest.h>

#include <set>

#include "reference/model/sequence.h"

namespace assay::gen {
namespace {

using Maker = void (*)(const CaseId&, SequenceCase&);
constexpr Maker makers[] = {make_barrier_sequence, make_tmem_sequence};

TEST(Sequences, EveryStepIsAllowedAndEveryOpIsDrawn) {
  for (const Maker make : makers) {
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

// Sixty draws in a row that an empty program allows none of: one in 80,000 programs of barriers.
TEST(Sequences, NoneIsEmptyHoweverUnluckyItsDraws) {
  SequenceCase c;
  make_barrier_sequence({20261122, "barrier.sequence", 85728, spec::Arch::sm_90}, c);
  EXPECT_GT(c.count, 0u);
  ASSERT_EQ(model::legal_steps(c), c.count);
}

TEST(Sequences, TheSameIdMakesTheSameProgram) {
  for (const Maker make : makers) {
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
  // Dropping out needs a barrier of two at least: init, arrive_drop.
  const auto fails = [&](const SequenceCase& c) { return has(c, BarrierOp::arrive_drop); };
  SequenceCase c;
  uint64_t index = 0;
  do make_barrier_sequence({3, "sequences", index++, spec::Arch::sm_90}, c);
  while (!fails(c) || c.count < 15);
  auto node = shrink_tree(c, {});
  for (bool moved = true; moved;) {
    moved = false;
    auto children = node.shrinks();
    while (auto child = children.next()) {
      EXPECT_EQ(model::legal_steps(child->value()), child->value().count);
      if (!fails(child->value())) continue;
      node = *child;
      moved = true;
      break;
    }
  }
  EXPECT_EQ(node.value().count, 2u);
  EXPECT_EQ(node.value().steps[1], (SequenceStep{static_cast<uint32_t>(BarrierOp::arrive_drop), 0, 0, 1}));
}

}  // namespace
}  // namespace assay::gen
