// SPDX-License-Identifier: Apache-2.0
#include "generators/barrier/sequence_cases.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "reference/model/barrier/mbarrier.h"
#include "reference/model/rig.h"
#include "reference/model/tmem/machine.h"

namespace assay::gen {
namespace {

constexpr int most_draws = 60;

uint32_t bytes(Random& random) {
  constexpr uint32_t interesting[] = {0, 1, 16, 4096, 4097, 8192, 65536, (1u << 20) - 1};
  return random.one_in(4) ? random.between(1, 20000) : interesting[random.below(std::size(interesting))];
}

/// Small, at a border of some width of field, or anything up to the largest in as many digits as likely.
uint32_t arrivals(Random& random) {
  constexpr uint32_t most = model::Mbarrier::most_arrivals;
  constexpr uint32_t borders[] = {255,   256,   257,   511,      4095,     4096,
                                  65535, 65536, 65537, 1u << 19, most - 1, most};
  if (!random.one_in(4)) return random.between(1, 4);
  if (random.one_in(2)) return borders[random.below(std::size(borders))];
  return random.between(1, most >> random.below(20));
}

/// Arrivals at a barrier: some of the missing ones, mostly few; often all of them, or all but one.
uint32_t arrivals_at(Random& random, const model::Mbarrier* barrier) {
  const uint32_t missing = barrier == nullptr ? 1 : barrier->missing();
  switch (random.below(6)) {
    case 0:
    case 1:
      return missing;
    case 2:
      return missing - 1;
    case 3:
      return arrivals(random);
    default:
      return random.between(1, 3);
  }
}

/// Bytes that bring the count back to nothing, or any number.
uint32_t bytes_at(Random& random, const model::Mbarrier* barrier, bool expects) {
  const int64_t pending = barrier == nullptr ? 0 : barrier->bytes();
  const int64_t balance = expects ? -pending : pending;
  return balance > 0 && !random.one_in(4) ? static_cast<uint32_t>(balance) : bytes(random);
}

uint32_t time_limit(Random& random) {
  constexpr uint32_t limits[] = {0, 1, 1000, longest_try};
  return limits[random.below(random.one_in(16) ? 4 : 3)];
}

BarrierOp barrier_op(Random& random) {
  // What moves phases on, and what looks at them, more often than what starts and ends barriers.
  using enum BarrierOp;
  constexpr BarrierOp ops[] = {
      init,        init,        init,        invalidate,  read_word,          arrive,
      arrive,      arrive,      arrive_drop, expect_tx,   expect_tx,          complete_tx,
      complete_tx, complete_tx, test_parity, test_parity, test_state,         arrive_expect_tx,
      try_parity,  try_state,   arrive,      arrive_drop, arrive_no_complete, arrive_drop_expect_tx};
  constexpr BarrierOp of_no_complete[] = {arrive_no_complete, arrive_drop_no_complete, pending_count};
  return random.one_in(6) ? of_no_complete[random.below(std::size(of_no_complete))]
                          : ops[random.below(std::size(ops))];
}

SequenceStep barrier_step(Random& random, const model::BarrierMachine& machine, bool has_peer) {
  SequenceStep step;
  const BarrierOp op = barrier_op(random);
  step.op = static_cast<uint32_t>(op);
  step.target = random.one_in(2) ? 0 : random.below(SequenceCase::targets);
  const model::Mbarrier* const barrier = machine.find(step.target);
  if (has_peer && may_be_remote(op)) step.column = random.below(2);
  switch (op) {
    case BarrierOp::init:
      step.amount = arrivals(random);
      break;
    case BarrierOp::arrive:
    case BarrierOp::arrive_drop:
    case BarrierOp::arrive_no_complete:
    case BarrierOp::arrive_drop_no_complete:
      step.amount = arrivals_at(random, barrier);
      break;
    case BarrierOp::expect_tx:
    case BarrierOp::arrive_expect_tx:
    case BarrierOp::arrive_drop_expect_tx:
      step.amount = bytes_at(random, barrier, true);
      break;
    case BarrierOp::complete_tx:
      step.amount = bytes_at(random, barrier, false);
      break;
    case BarrierOp::test_parity:
      step.amount = random.below(2);
      break;
    case BarrierOp::try_parity:
      step.amount = random.below(2) | time_limit(random) << 1;
      break;
    case BarrierOp::try_state:
      step.amount = time_limit(random);
      break;
    default:
      break;
  }
  return step;
}

/// Makes of some arrivals that end a phase those at the end of a copy and the rest.
void let_copies_arrive(Random& random, const model::BarrierMachine& machine, SequenceStep& step) {
  const model::Mbarrier* const barrier = machine.find(step.target);
  if (static_cast<BarrierOp>(step.op) != BarrierOp::arrive || step.column != 0 || step.lanes != 1 ||
      barrier == nullptr || barrier->bytes() != 0 || step.amount != barrier->missing() || !random.one_in(4))
    return;
  step.op =
      static_cast<uint32_t>(random.one_in(2) ? BarrierOp::copies_arrive : BarrierOp::copies_arrive_noinc);
}

/// Indexes in a row with clusters of one size, or barriers of one kind of place: of a batch.
constexpr uint64_t block = 64;

/// Makes of a program of two CTAs one of more, with the barriers in any. By a stream of its own.
void spread(Random random, uint64_t index, SequenceCase& c) {
  random = apart(random);
  if (!c.needs_cluster()) return;
  c.cluster_size = 2u << index / block % 3;
  c.issuer = random.below(c.cluster_size);
  for (uint32_t i = 0; i < c.count; ++i)
    if (c.steps[i].column != 0) c.steps[i].column = random.between(1, c.cluster_size - 1);
}

/// One program in so many is of steps that several lanes, the same ones, execute at once.
constexpr uint64_t crowd_period = 4;

/// At least two of 32, often all.
uint32_t any_lanes(Random& random) {
  const auto drawn = static_cast<uint32_t>(random.next());
  const uint32_t way = random.below(4), first = random.below(32);
  if (way < 2) return ~0u;
  const uint32_t lanes = way == 2 ? drawn : 1u << (first + random.between(1, 31)) % 32;
  return lanes | 1u << first | (lanes == 1u << first ? 1u << (first ^ 1) : 0);
}

/// Makes of most steps one of all these lanes that count as much together, or as near as that goes.
void share(Random& random, const model::BarrierMachine& machine, uint32_t lanes, SequenceStep& step) {
  const auto count = static_cast<uint32_t>(std::popcount(lanes));
  const auto op = static_cast<BarrierOp>(step.op);
  if (random.one_in(4)) return;
  if (op == BarrierOp::init) step.amount = count * random.between(1, 3);
  const model::Mbarrier* const barrier = machine.find(step.target);
  if (!may_be_of_several(op) || barrier == nullptr) return;
  step.lanes = lanes;
  if (op == BarrierOp::arrive_expect_tx || op == BarrierOp::arrive_drop_expect_tx ||
      op == BarrierOp::expect_tx || op == BarrierOp::complete_tx)
    step.amount /= count;
  else
    step.amount = std::max(1u, random.one_in(4) ? step.amount / count : barrier->missing() / count);
}

/// Barriers of one program of four anywhere in shared memory, often at a multiple of 32 KiB or around it.
/// These come together, so that the CTAs of other batches need no more memory than before.
void place_barriers(Random& random, uint64_t index, spec::Arch arch, SequenceCase& c) {
  if (index / block % 4 != 1) return;
  constexpr uint32_t border = 32 << 10;
  const uint32_t room = rig::room_of_windows(arch);
  c.place = 8 * random.below(room / 8 + 1);
  if (random.one_in(2))
    c.place = border * random.between(1, room / border) - rig::usual_window_address - 8 * random.below(4);
}

/// Most steps of one program of three that name a place in shared memory do so by a generic address. By a
/// stream of its own.
template <typename Op>
void use_generic_addresses(Random random, SequenceCase& c) {
  random = apart(apart(random));
  if (!random.one_in(3)) return;
  for (uint32_t i = 0; i < c.count; ++i)
    c.steps[i].is_generic = may_be_generic(static_cast<Op>(c.steps[i].op)) && !random.one_in(4);
}

SequenceStep tmem_step(Random& random, bool takes_much) {
  // Most loads, replacements and shifts are drawn in vain: they need columns that are known to hold
  // something.
  constexpr std::pair<TmemOp, uint32_t> weights[] = {
      {TmemOp::allocate, 2}, {TmemOp::deallocate, 1}, {TmemOp::store, 3},  {TmemOp::wait_store, 1},
      {TmemOp::load, 16},    {TmemOp::multiply, 3},   {TmemOp::commit, 1}, {TmemOp::wait, 1},
      {TmemOp::exchange, 2}, {TmemOp::copy, 2},       {TmemOp::shift, 4},  {TmemOp::replace, 6}};
  const auto draw = [&] {
    uint32_t all = 0;
    for (const auto& weight : weights) all += weight.second;
    uint32_t at = random.below(all);
    for (const auto& weight : weights) {
      if (at < weight.second) return weight.first;
      at -= weight.second;
    }
    return TmemOp::load;
  };
  SequenceStep step;
  const TmemOp op = draw();
  step.op = static_cast<uint32_t>(op);
  if (op != TmemOp::wait_store && op != TmemOp::commit && op != TmemOp::wait)
    step.target = random.below(SequenceCase::targets);
  // Few places, so that what is written is also read.
  const uint32_t reach = random.one_in(4) ? 8u << random.below(4) : 3;
  if (op == TmemOp::store || op == TmemOp::load || op == TmemOp::copy || op == TmemOp::shift ||
      op == TmemOp::replace)
    step.column = 8 * random.below(reach);
  if (op == TmemOp::multiply) step.column = 16 * random.below((reach + 1) / 2);
  if (op == TmemOp::deallocate && random.one_in(2)) step.column = random.below(tmem_warps);
  if (op == TmemOp::exchange) step.column = random.below(SequenceCase::targets);
  // Some programs take all that there is, most a little, so that many fit.
  if (op == TmemOp::allocate) step.amount = 32u << random.below(takes_much ? 5 : 2);
  if (op == TmemOp::exchange) step.amount = 32u << random.between(1, 4);
  if (op == TmemOp::store || op == TmemOp::replace) step.amount = random.between(1, 1000);
  if (op == TmemOp::multiply) step.amount = random.below(8);
  if (op == TmemOp::load) step.amount = random.below(2);
  if (op == TmemOp::copy) step.amount = random.below(6 * tmem_sources);
  return step;
}

/// One program in so many takes the first barrier through as many phases as it has steps for.
constexpr uint64_t phases_period = 8;

/// Makes of most steps an arrival of all that are missing at a barrier of few.
void move_phase_on(Random& random, const model::BarrierMachine& machine, SequenceStep& step) {
  if (random.one_in(8)) return;
  const model::Mbarrier* const barrier = machine.find(0);
  step.target = 0;
  step.column = 0;
  if (barrier == nullptr) {
    step.op = static_cast<uint32_t>(BarrierOp::init);
    step.amount = random.between(1, 2);
    return;
  }
  step.op = static_cast<uint32_t>(random.one_in(8) ? BarrierOp::test_parity : BarrierOp::arrive);
  step.amount = step.op == static_cast<uint32_t>(BarrierOp::arrive) ? barrier->missing() : random.below(2);
}

/// What a program is mostly about.
enum class Plot : uint8_t { any, long_commit, ends_of_memory };
/// One program in so many begins with copying_steps().
constexpr uint64_t copying_period = 16;
/// One in so many with filling_steps(), with overlapping_steps(), with waiting_steps() and with
/// shifting_steps().
constexpr uint64_t filling_period = 16, overlapping_period = 16, waiting_period = 16, shifting_period = 16;
constexpr uint32_t most_products = 20;

/// Columns of an allocation as the steps so far leave it; 0: there is none.
uint32_t columns_of(const SequenceCase& c, uint32_t target) {
  uint32_t columns = 0;
  for (uint32_t i = 0; i < c.count; ++i) {
    const SequenceStep& step = c.steps[i];
    const auto op = static_cast<TmemOp>(step.op);
    if (op == TmemOp::exchange && step.column == target) columns = 0;
    if (step.target != target) continue;
    if (op == TmemOp::allocate || op == TmemOp::exchange) columns = step.amount;
    if (op == TmemOp::deallocate) columns = 0;
  }
  return columns;
}

/// The next step of a program that commits `products` products, or some fewer and copies or shifts, at once,
/// and looks at the last of them.
SequenceStep long_commit_step(Random& random, const SequenceCase& c, uint32_t products, uint32_t columns) {
  const auto step = [](TmemOp op, uint32_t column = 0, uint32_t amount = 0) {
    return SequenceStep{static_cast<uint32_t>(op), 0, column, amount};
  };
  if (c.count == 0) return step(TmemOp::allocate, 0, columns);
  if (c.count <= products) {
    const SequenceStep& last = c.steps[c.count - 1];
    const auto before = static_cast<TmemOp>(last.op);
    // Behind a copy or a shift a product of the same columns: what it must not overtake.
    const bool stays = (before == TmemOp::copy || before == TmemOp::shift) && !random.one_in(4);
    const uint32_t column = stays ? last.column : 16 * random.below(columns / 16);
    if (!stays && random.one_in(6)) return step(TmemOp::copy, column, random.below(6 * tmem_sources));
    return !stays && random.one_in(8) ? step(TmemOp::shift, column)
                                      : step(TmemOp::multiply, column, random.below(8));
  }
  if (c.count == products + 1) return step(TmemOp::commit);
  if (c.count == products + 2) return step(TmemOp::wait);
  const SequenceStep& seen = c.steps[c.count == products + 3 ? products : random.between(1, products)];
  return step(TmemOp::load, seen.column, random.below(2));
}

/// Moves a step to the last columns of its allocation; allocates the most that there may be.
void move_to_end(Random& random, const SequenceCase& c, SequenceStep& step) {
  const auto op = static_cast<TmemOp>(step.op);
  const uint32_t columns = columns_of(c, step.target);
  if (op == TmemOp::allocate) {
    uint32_t taken = 0;
    for (uint32_t target = 0; target < tmem_targets; ++target) taken += columns_of(c, target);
    // No more than half of the rest: what documents say nothing about is where the others lie.
    step.amount = random.one_in(4) && taken == 0 ? 512 : std::max(32u, std::bit_floor((512 - taken) / 2));
    return;
  }
  const bool is_access = op == TmemOp::store || op == TmemOp::load || op == TmemOp::copy ||
                         op == TmemOp::shift || op == TmemOp::replace;
  if ((!is_access && op != TmemOp::multiply) || columns == 0 || random.one_in(4)) return;
  step.column = columns - (is_access ? 8 : 16);
}

/// Any step, of those with two barriers and those that wait for stores under loads too.
SequenceStep any_step(Random& random, bool takes_much) {
  SequenceStep step = tmem_step(random, takes_much);
  const auto op = static_cast<TmemOp>(step.op);
  if (op == TmemOp::commit || op == TmemOp::wait) step.column = random.below(commit_barriers);
  if (op == TmemOp::load && random.one_in(4)) {
    step.op = static_cast<uint32_t>(TmemOp::load_wait_store);
    step.amount = 0;
  }
  return step;
}

/// The warps of the CTA: the same for a block of indexes, so that a batch has programs of one kind.
uint32_t warps_of(uint64_t index) {
  constexpr uint32_t warps[] = {4, 4, 4, 4, 16, 4, 4, 8, 4, 4, 4, 12}, block = 16;
  return warps[index / block % std::size(warps)];
}

/// Draws until the program has its length, or nothing fits any more; something always fits an empty one.
template <typename Draw, typename Allowed>
void fill(Random& random, SequenceCase& c, Draw draw, uint32_t least, Allowed allowed) {
  const uint32_t wanted = std::max(least, random.between(6, SequenceCase::most_steps));
  c.count = 0;
  for (int draws = 0; c.count < wanted && (draws < most_draws || c.count == 0);) {
    const SequenceStep step = draw();
    ++draws;
    if (!allowed(step)) continue;
    c.steps[c.count++] = step;
    draws = 0;
  }
}

}  // namespace

void make_barrier_sequence(const CaseId& id, SequenceCase& c) {
  Random random = id.random();
  c = {};
  c.machine = SequenceMachine::barriers;
  model::BarrierMachine machine;
  const bool has_peer = random.one_in(4);
  const bool goes_on = id.index % phases_period == phases_period - 1;
  const uint32_t crowd = id.index % crowd_period == 1 ? any_lanes(random) : 1;
  Random of_copies = apart(apart(apart(random))), of_bytes = random;
  for (int times = 0; times < 7; ++times) of_bytes = apart(of_bytes);
  fill(
      random, c,
      [&] {
        SequenceStep step = barrier_step(random, machine, has_peer);
        if (goes_on) move_phase_on(random, machine, step);
        if (crowd != 1) share(random, machine, crowd, step);
        set_apart(of_bytes, id.index, machine, step);
        let_bytes_arrive(of_bytes, id.index, machine, step);
        pass_phases(of_copies, id.index, machine, step);
        let_copies_arrive(of_copies, machine, step);
        return step;
      },
      goes_on ? SequenceCase::most_steps : 0,
      [&](const SequenceStep& step) { return machine.step(step).has_value(); });
  spread(random, id.index, c);
  add_bystanders(random, c);
  use_generic_addresses<BarrierOp>(random, c);
  leave_bulk_copies_plain(c);
  spell_otherwise(random, c);
  let_none_be_under_way(random, c);
  place_barriers(random, id.index, id.arch, c);
}

void make_tmem_sequence(const CaseId& id, SequenceCase& c) {
  Random random = id.random();
  c = {};
  c.machine = SequenceMachine::tensor_memory;
  c.warps = warps_of(id.index);
  model::TmemMachine machine(/*has_values=*/false);
  const bool takes_much = random.one_in(2);
  const uint32_t drawn = random.below(8);
  const Plot plot = drawn == 0 ? Plot::long_commit : drawn == 1 ? Plot::ends_of_memory : Plot::any;
  const uint32_t products = random.between(9, most_products), columns = 32u << random.below(5);
  std::vector<SequenceStep> beginning;
  if (id.index % copying_period == copying_period - 1) beginning = copying_steps(random);
  if (id.index % filling_period == filling_period / 2) beginning = filling_steps(random);
  const bool overlaps = id.index % overlapping_period == overlapping_period / 4,
             waits = id.index % waiting_period == waiting_period * 3 / 4;
  if (overlaps) beginning = overlapping_steps(random);
  if (waits) beginning = waiting_steps(random);
  if (id.index % shifting_period == shifting_period / 8) beginning = shifting_steps(random);
  fill(
      random, c,
      [&] {
        if (c.count < beginning.size()) return beginning[c.count];
        if (overlaps || waits) return any_step(random, takes_much);
        if (!beginning.empty()) return tmem_step(random, takes_much);
        if (plot == Plot::long_commit && c.count < SequenceCase::most_steps)
          return long_commit_step(random, c, products, columns);
        SequenceStep step = tmem_step(random, takes_much);
        if (plot == Plot::ends_of_memory) move_to_end(random, c, step);
        return step;
      },
      !beginning.empty()          ? static_cast<uint32_t>(beginning.size())
      : plot == Plot::long_commit ? products + 4
                                  : 0,
      [&](const SequenceStep& step) { return machine.step(step, {}); });
  c.issuer = issuing_thread(random);
  for (uint32_t i = 0; i < c.count; ++i)
    if (static_cast<TmemOp>(c.steps[i].op) == TmemOp::allocate) c.steps[i].column = random.below(tmem_warps);
  use_generic_addresses<TmemOp>(random, c);
  vary_instructions(random, c);
}

}  // namespace assay::gen
