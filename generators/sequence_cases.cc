#include "generators/sequence_cases.h"

#include <algorithm>

#include "reference/model/barrier_machine.h"
#include "reference/model/sequence.h"
#include "reference/model/tmem_machine.h"

namespace assay::gen {
namespace {

constexpr int most_draws = 60;

uint32_t bytes(Random& random) {
  constexpr uint32_t interesting[] = {1, 16, 4096, 4097, 8192, 65536, (1u << 20) - 1};
  return random.one_in(4) ? random.between(1, 20000) : interesting[random.below(std::size(interesting))];
}

SequenceStep barrier_step(Random& random, uint32_t last_bytes) {
  // What moves phases on, and what looks at them, more often than what starts and ends barriers.
  constexpr BarrierOp ops[] = {
      BarrierOp::init,        BarrierOp::init,        BarrierOp::init,        BarrierOp::invalidate,
      BarrierOp::arrive,      BarrierOp::arrive,      BarrierOp::arrive,      BarrierOp::arrive,
      BarrierOp::arrive_drop, BarrierOp::expect_tx,   BarrierOp::complete_tx, BarrierOp::complete_tx,
      BarrierOp::test_parity, BarrierOp::test_parity, BarrierOp::test_state,  BarrierOp::arrive_expect_tx};
  SequenceStep step;
  const BarrierOp op = ops[random.below(std::size(ops))];
  step.op = static_cast<uint32_t>(op);
  step.target = random.one_in(2) ? 0 : random.below(SequenceCase::targets);
  switch (op) {
    case BarrierOp::init:
      step.amount = random.one_in(16) ? (1u << 20) - 1 - random.below(2) : random.between(1, 4);
      break;
    case BarrierOp::arrive:
    case BarrierOp::arrive_drop:
      step.amount = random.one_in(16) ? (1u << 20) - random.between(1, 4) : random.between(1, 3);
      break;
    case BarrierOp::expect_tx:
    case BarrierOp::arrive_expect_tx:
      step.amount = bytes(random);
      break;
    case BarrierOp::complete_tx:
      step.amount = random.one_in(4) ? bytes(random) : last_bytes;
      break;
    case BarrierOp::test_parity:
      step.amount = random.below(2);
      break;
    default:
      break;
  }
  return step;
}

SequenceStep tmem_step(Random& random) {
  constexpr TmemOp ops[] = {TmemOp::allocate, TmemOp::allocate, TmemOp::deallocate, TmemOp::store,
                            TmemOp::store,    TmemOp::store,    TmemOp::wait_store, TmemOp::wait_store,
                            TmemOp::load,     TmemOp::load,     TmemOp::load,       TmemOp::multiply,
                            TmemOp::multiply, TmemOp::multiply, TmemOp::commit,     TmemOp::wait};
  SequenceStep step;
  const TmemOp op = ops[random.below(std::size(ops))];
  step.op = static_cast<uint32_t>(op);
  if (op != TmemOp::wait_store && op != TmemOp::commit && op != TmemOp::wait)
    step.target = random.below(SequenceCase::targets);
  // Few places, so that what is written is also read.
  if (op == TmemOp::store || op == TmemOp::load) step.column = 8 * random.below(random.one_in(4) ? 8 : 3);
  if (op == TmemOp::multiply) step.column = 16 * random.below(random.one_in(4) ? 4 : 2);
  if (op == TmemOp::allocate) step.amount = 32u << random.below(2);
  if (op == TmemOp::store) step.amount = random.between(1, 1000);
  if (op == TmemOp::multiply) step.amount = random.below(8);
  return step;
}

/// Draws until the program has its length, or nothing fits any more; something always fits an empty one.
template <typename Draw, typename Allowed>
void fill(Random& random, SequenceCase& c, Draw draw, Allowed allowed) {
  const uint32_t wanted = random.between(6, SequenceCase::most_steps);
  c.count = 0;
  for (int draws = 0; c.count < wanted && (draws < most_draws || c.count == 0);) {
    const SequenceStep step = draw();
    ++draws;
    if (!allowed(step)) continue;
    c.steps[c.count++] = step;
    draws = 0;
  }
}

void remove(SequenceCase& c, uint32_t first, uint32_t count) {
  std::copy(c.steps.begin() + first + count, c.steps.begin() + c.count, c.steps.begin() + first);
  std::fill(c.steps.begin() + (c.count - count), c.steps.begin() + c.count, SequenceStep{});
  c.count -= count;
}

}  // namespace

void make_barrier_sequence(const CaseId& id, SequenceCase& c) {
  Random random = id.random();
  c = {};
  c.machine = SequenceMachine::barriers;
  model::BarrierMachine machine;
  uint32_t last_bytes = 16;
  fill(
      random, c, [&] { return barrier_step(random, last_bytes); },
      [&](const SequenceStep& step) {
        model::BarrierMachine next = machine;
        if (!next.step(step)) return false;
        machine = next;
        const auto op = static_cast<BarrierOp>(step.op);
        if (op == BarrierOp::expect_tx || op == BarrierOp::arrive_expect_tx) last_bytes = step.amount;
        return true;
      });
}

void make_tmem_sequence(const CaseId& id, SequenceCase& c) {
  Random random = id.random();
  c = {};
  c.machine = SequenceMachine::tensor_memory;
  model::TmemMachine machine(/*has_values=*/false);
  fill(
      random, c, [&] { return tmem_step(random); },
      [&](const SequenceStep& step) { return machine.step(step, {}); });
}

std::vector<SequenceCase> simpler(const SequenceCase& c) {
  std::vector<SequenceCase> made;
  const auto offer = [&](auto change) {
    SequenceCase s = c;
    change(s);
    if (s != c && s.count != 0 && model::legal_steps(s) == s.count) made.push_back(s);
  };
  for (uint32_t part = std::max(1u, c.count / 2);; part /= 2) {
    for (uint32_t first = 0; first + part <= c.count; first += part)
      offer([&](SequenceCase& s) { remove(s, first, part); });
    if (part == 1) break;
  }
  // What only goes together: a step and another.
  for (uint32_t i = 0; i < c.count; ++i)
    for (uint32_t j = i + 1; j < c.count; ++j) {
      offer([&](SequenceCase& s) {
        remove(s, j, 1);
        remove(s, i, 1);
      });
    }
  for (uint32_t i = 0; i < c.count; ++i) {
    const SequenceStep& step = c.steps[i];
    if (step.column != 0) offer([&](SequenceCase& s) { s.steps[i].column = 0; });
    for (const uint32_t amount : {0u, 1u, 16u, step.amount / 2})
      if (amount < step.amount) offer([&](SequenceCase& s) { s.steps[i].amount = amount; });
  }
  for (uint32_t target = 1; target < SequenceCase::targets; ++target)
    offer([&](SequenceCase& s) {
      for (SequenceStep& step : s.steps)
        if (step.target == target) step.target = 0;
    });
  return made;
}

rc::Shrinkable<SequenceCase> shrink_tree(const SequenceCase& c,
                                         std::function<bool(const SequenceCase&)> keep) {
  return rc::shrinkable::shrinkRecur(c, [keep](const SequenceCase& from) {
    std::vector<SequenceCase> kept;
    for (const SequenceCase& one : simpler(from))
      if (!keep || keep(one)) kept.push_back(one);
    return rc::seq::fromContainer(std::move(kept));
  });
}

}  // namespace assay::gen
