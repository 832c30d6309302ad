// SPDX-License-Identifier: Apache-2.0
// Programs that use 64 bits of shared memory as an mbarrier that no mbarrier.init wrote.
#include <algorithm>
#include <iterator>

#include "generators/barrier/sequence_cases.h"
#include "reference/model/barrier/machine.h"
#include "reference/model/barrier/mbarrier.h"

namespace assay::gen {
namespace {

/// A bit alone, all but one, and by turns with those the state of a barrier, with or without bits beside, and
/// anything.
uint64_t word_to_find(Random& random, uint64_t index) {
  const uint64_t bit = uint64_t{1} << index / 4 % 64;
  switch (index % 4) {
    case 0:
      return bit;
    case 1:
      return ~bit;
    case 2: {
      const uint32_t count =
          random.one_in(4) ? random.between(1, model::Mbarrier::most_arrivals) : random.between(1, 5);
      const model::BarrierState state{.phase = random.below(2),
                                      .count = count,
                                      .missing = random.between(1, count),
                                      .bytes = random.one_in(2) ? 0 : int64_t{random.below(1 << 20)}};
      return model::Mbarrier::of(state).word() | random.below(2);
    }
    default:
      return random.next();
  }
}

/// Any operation with an amount that may well be too much.
SequenceStep step_on_found(Random& random, const model::Mbarrier* barrier) {
  using enum BarrierOp;
  constexpr BarrierOp ops[] = {test_parity,
                               test_parity,
                               try_parity,
                               arrive,
                               arrive_drop,
                               arrive_expect_tx,
                               arrive_no_complete,
                               arrive_drop_no_complete,
                               expect_tx,
                               arrive_drop_expect_tx,
                               complete_tx,
                               invalidate,
                               read_word,
                               read_word,
                               init};
  SequenceStep step;
  const BarrierOp op = ops[random.below(std::size(ops))];
  step.op = static_cast<uint32_t>(op);
  const uint32_t missing = barrier == nullptr ? 1 : std::max(1u, barrier->missing());
  switch (op) {
    case test_parity:
      step.amount = random.below(2);
      break;
    case try_parity:
      step.amount = random.below(2) | 1000 << 1;
      break;
    case init:
      step.amount = random.between(1, 4);
      break;
    case arrive:
    case arrive_drop:
    case arrive_no_complete:
    case arrive_drop_no_complete:
      step.amount = random.one_in(2) ? missing : random.one_in(4) ? missing + 1 : random.between(1, missing);
      break;
    case expect_tx:
    case complete_tx:
    case arrive_expect_tx:
    case arrive_drop_expect_tx:
      step.amount = random.one_in(4) ? random.below((1 << 20) + 2) : random.between(1, 4096);
      break;
    default:
      break;
  }
  return step;
}

/// Steps that are drawn in vain, in a row.
constexpr int most_draws_on_found = 400;

/// One to `most` steps that end well; or, `fails`, the last of which ends the launch. False where none was
/// found.
bool fill_found(Random& random, SequenceCase& c, uint32_t most, bool fails) {
  model::BarrierMachine machine(c);
  c.count = 0;
  for (int draws = 0; draws < most_draws_on_found; ++draws) {
    const SequenceStep step = step_on_found(random, machine.find(0));
    model::BarrierMachine next = machine;
    const auto answer = next.step(step);
    if (!answer || (answer->fails && !fails)) continue;
    const bool is_last = c.count + 1 == most;
    if (fails && is_last != answer->fails) continue;
    c.steps[c.count++] = step;
    machine = next;
    if (is_last) return true;
  }
  return !fails && c.count != 0;
}

void make_found(const CaseId& id, bool fails, SequenceCase& c) {
  Random random = id.random();
  c = {};
  c.machine = SequenceMachine::barriers;
  c.is_found = true;
  c.found_word = word_to_find(random, id.index);
  const bool is_usable = !model::Mbarrier::found(c.found_word).is_damaged();
  // With the bit that no barrier has only an init and an inval end well.
  if (!fails && !is_usable && !random.one_in(4)) c.found_word &= ~model::Mbarrier::guard_bit;
  if (fails && is_usable && random.one_in(2)) c.found_word |= model::Mbarrier::guard_bit;
  if (!fill_found(random, c, fails ? 1 : random.between(1, 3), fails)) {
    c.found_word |= model::Mbarrier::guard_bit;
    fill_found(random, c, 1, fails);
  }
  spell_otherwise(random, c);
  for (uint32_t i = 0; i < c.count; ++i)
    c.steps[i].is_generic = may_be_generic(static_cast<BarrierOp>(c.steps[i].op)) && random.one_in(4);
}

}  // namespace

void make_found_barrier(const CaseId& id, SequenceCase& c) {
  make_found(id, false, c);
}

void make_found_barrier_fault(const CaseId& id, SequenceCase& c) {
  // A device that has one end for everything must not conform: one of four ends well.
  make_found(id, id.index % 4 != 3, c);
}

}  // namespace assay::gen
