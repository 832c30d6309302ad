// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "generators/barrier/sequence_cases.h"
#include "reference/model/barrier/machine.h"
#include "reference/model/barrier/mbarrier.h"

namespace assay::gen {
namespace {

/// Columns of an access and of a product.
constexpr uint32_t access_width = 8, product_width = 16;

/// What puts a step behind the others.
auto adder(std::vector<SequenceStep>& made) {
  return [&made](TmemOp op, uint32_t target, uint32_t column = 0, uint32_t amount = 0) {
    made.push_back({static_cast<uint32_t>(op), target, column, amount});
  };
}

}  // namespace

std::vector<SequenceStep> copying_steps(Random& random) {
  std::vector<SequenceStep> made;
  const auto add = adder(made);
  constexpr uint32_t shapes = 6, of_4x256b = 1, width = access_width;
  const bool is_elsewhere = random.one_in(4);
  const uint32_t copied = is_elsewhere ? 1 : 0, first = 2 * width * random.below(2);
  add(TmemOp::allocate, 0, 0, 32u << random.below(2));
  if (is_elsewhere) add(TmemOp::allocate, copied, 0, 32);
  for (uint32_t i = 0; i < 2; ++i) add(TmemOp::store, copied, first + i * width, random.between(1, 1000));
  add(TmemOp::wait_store, 0);
  if (is_elsewhere)
    for (uint32_t i = random.between(1, 4); i != 0; --i) {
      const uint32_t amount = 2 * random.below(4);
      add(TmemOp::multiply, 0, 2 * width * random.below(2), amount);
    }
  const uint32_t from = random.below(2), copies = is_elsewhere ? 1 : random.between(1, 2);
  for (uint32_t i = 0; i < copies; ++i)
    add(TmemOp::copy, copied, first + (from + i) % 2 * width,
        shapes * random.below(tmem_sources) + (is_elsewhere ? random.below(shapes) : of_4x256b));
  if (!is_elsewhere) add(TmemOp::multiply, 0, first, 2 * random.below(4) + 1);
  add(TmemOp::commit, 0);
  add(TmemOp::wait, 0);
  for (uint32_t i = 0; i < 2; ++i) add(TmemOp::load, copied, first + (from + i) % 2 * width, random.below(2));
  return made;
}

std::vector<SequenceStep> filling_steps(Random& random) {
  std::vector<SequenceStep> made;
  const auto add = adder(made);
  std::vector<uint32_t> pieces;
  const uint32_t largest = 32u << random.below(4);
  for (uint32_t left = 512; left != 0; left -= pieces.back()) {
    uint32_t piece = random.one_in(4) ? 32 : largest;
    // Of so many gaps one is long enough.
    const auto gaps = static_cast<uint32_t>(pieces.size()) + 1;
    while (left < piece || left <= gaps * (piece - 32)) piece /= 2;
    pieces.push_back(piece);
  }
  const auto last = static_cast<uint32_t>(pieces.size()) - 1;
  for (uint32_t i = 0; i <= last; ++i) add(TmemOp::allocate, i, 0, pieces[i]);
  const uint32_t other = random.below(last), seen[] = {last, other, (other + 1) % last};
  for (const uint32_t target : seen) add(TmemOp::store, target, pieces[target] - 8, random.between(1, 1000));
  add(TmemOp::wait_store, 0);
  for (const uint32_t target : seen) add(TmemOp::load, target, pieces[target] - 8, random.below(2));
  return made;
}

std::vector<SequenceStep> overlapping_steps(Random& random) {
  std::vector<SequenceStep> made;
  const auto add = adder(made);
  const auto work = [&](uint32_t target) {
    for (uint32_t i = 0; i < 2 || random.one_in(4); ++i)
      add(TmemOp::multiply, target, product_width * (i % 2), 2 * random.below(4) + (i < 2 ? 0 : 1));
  };
  add(TmemOp::allocate, 0, 0, 2 * product_width);
  add(TmemOp::allocate, 1, 0, 2 * product_width);
  // Mostly it is the later one that is waited for alone.
  const uint32_t first = random.below(2), waited = random.one_in(4) ? first : 1 - first;
  work(0);
  add(TmemOp::commit, 0, first);
  const bool works_between = random.one_in(2);
  if (works_between) work(1);
  add(TmemOp::commit, 0, 1 - first);
  add(TmemOp::wait, 0, waited);
  add(TmemOp::load, 0, 0, random.below(2));
  add(TmemOp::load, 0, 2 * product_width - access_width, random.below(2));
  if (works_between && waited != first) add(TmemOp::load, 1, access_width, random.below(2));
  add(TmemOp::wait, 0, 1 - waited);
  if (works_between) add(TmemOp::load, 1, product_width, random.below(2));
  return made;
}

std::vector<SequenceStep> waiting_steps(Random& random) {
  std::vector<SequenceStep> made;
  const auto add = adder(made);
  const uint32_t other = random.below(2);
  add(TmemOp::allocate, 0, 0, 64);
  if (other != 0) add(TmemOp::allocate, 1, 0, 64);
  // Beside what is stored, or in another allocation.
  const uint32_t read = 2 * product_width + access_width * random.below(4),
                 stored = product_width * random.below(2);
  add(TmemOp::store, other, read, random.between(1, 1000));
  add(TmemOp::wait_store, 0);
  for (uint32_t i = 0; i < 2; ++i) add(TmemOp::store, 0, stored + i * access_width, random.between(1, 1000));
  add(TmemOp::load_wait_store, other, read);
  if (random.one_in(2)) {
    add(TmemOp::multiply, 0, stored, 2 * random.below(4) + 1);
    add(TmemOp::commit, 0);
    add(TmemOp::wait, 0);
  }
  for (uint32_t i = 0; i < 2; ++i) add(TmemOp::load, 0, stored + i * access_width, random.below(2));
  return made;
}

std::vector<SequenceStep> shifting_steps(Random& random) {
  std::vector<SequenceStep> made;
  const auto add = adder(made);
  add(TmemOp::allocate, 0, 0, 2 * product_width);
  const uint32_t first = product_width * random.below(2);
  // The last product is the one that the shift is right behind.
  for (uint32_t i = random.between(1, 4); i != 0; --i) {
    const uint32_t amount = 2 * random.below(4);
    add(TmemOp::multiply, 0, i == 1 || random.one_in(2) ? first : product_width - first, amount);
  }
  const uint32_t from = random.below(2), shifts = random.between(1, 2);
  for (uint32_t i = 0; i < shifts; ++i) add(TmemOp::shift, 0, first + (from + i) % 2 * access_width);
  if (random.one_in(2)) add(TmemOp::multiply, 0, first, 2 * random.below(4) + 1);
  add(TmemOp::commit, 0);
  add(TmemOp::wait, 0);
  for (uint32_t i = 0; i < 2; ++i) add(TmemOp::load, 0, first + i * access_width, random.below(2));
  return made;
}

// Programs that use 64 bits of shared memory as an mbarrier that no mbarrier.init wrote.

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
