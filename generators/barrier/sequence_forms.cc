// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "generators/barrier/sequence_cases.h"
#include "generators/simpler_cases.h"
#include "reference/model/barrier/machine.h"
#include "reference/model/barrier/mbarrier.h"
#include "reference/model/tmem/machine.h"

namespace assay::gen {

void spell_otherwise(Random random, SequenceCase& c) {
  random = apart(apart(apart(apart(random))));
  if (!random.one_in(2)) return;
  for (uint32_t i = 0; i < c.count; ++i)
    if (!random.one_in(4)) c.steps[i].spelling = random.below(most_spellings);
}

void vary_instructions(Random random, SequenceCase& c) {
  using namespace model;
  random = apart(apart(apart(apart(random))));
  if (random.one_in(2)) return;
  for (uint32_t i = 0; i < c.count; ++i) {
    SequenceStep& step = c.steps[i];
    const auto op = static_cast<TmemOp>(step.op);
    const bool is_access = op == TmemOp::store || (op == TmemOp::load && step.amount != by_columns);
    if (op == TmemOp::multiply) {
      step.amount |= 8 * random.below(2);
      if (random.one_in(2)) step.amount |= 16;
      if (legal_steps(c) != c.count) step.amount &= ~16u;
    }
    if (!is_access && op != TmemOp::multiply && op != TmemOp::shift) continue;
    step = with_form(step, (is_access ? random.below(access_shapes) * spelling_ways : 0) +
                               (random.one_in(4) ? random.between(1, spelling_ways - 1) : 0));
  }
}

void pass_phases(Random& random, uint64_t index, const model::BarrierMachine& machine, SequenceStep& step) {
  const model::Mbarrier* const barrier = machine.find(step.target);
  if (index % 8 != 3 || static_cast<BarrierOp>(step.op) != BarrierOp::arrive || step.column != 0 ||
      step.lanes != 1 || barrier == nullptr || barrier->bytes() != 0 ||
      barrier->missing() != barrier->count() || step.amount != barrier->count() || random.one_in(3))
    return;
  step.op = static_cast<uint32_t>(BarrierOp::pass_phases);
  step.amount =
      phases_amount(random.one_in(4) ? random.between(1, 40) : random.between(33, most_phases), step.amount);
}

namespace {

/// Any instruction that writes so many bytes anywhere; complete_tx of them where there is none.
void write_bytes(Random& random, uint32_t bytes, SequenceStep& step) {
  const uint32_t seed = random.below(1 << 16);
  std::vector<uint32_t> amounts;
  for (uint32_t op = 0; op < model::async_ops && bytes < 256; ++op) {
    const model::AsyncWrite write{bytes, static_cast<model::AsyncOp>(op), seed};
    if (model::async_write(write.amount())) amounts.push_back(write.amount());
  }
  step.op = static_cast<uint32_t>(amounts.empty() ? BarrierOp::complete_tx : BarrierOp::bytes_arrive);
  step.amount = amounts.empty() ? bytes : amounts[random.below(amounts.size())];
}

}  // namespace

void let_bytes_arrive(Random& random, uint64_t index, const model::BarrierMachine& machine,
                      SequenceStep& step) {
  using enum BarrierOp;
  constexpr uint32_t sizes[] = {4, 4, 8, 8, 16, 32, 48, 64};
  constexpr BarrierOp expecting[] = {expect_tx, arrive_expect_tx, arrive_expect_tx, arrive_drop_expect_tx};
  if (index % 8 != 6 || random.one_in(4)) return;
  step = {.target = random.below(2)};
  const model::Mbarrier* const barrier = machine.find(step.target);
  const auto be = [&](BarrierOp op, uint32_t amount) {
    step.op = static_cast<uint32_t>(op), step.amount = amount;
  };
  if (barrier == nullptr) {
    be(init, random.between(1, 4));
  } else if (barrier->bytes() <= 0) {
    const uint32_t bytes = sizes[random.below(std::size(sizes))];
    be(expecting[random.below(std::size(expecting))], bytes);
  } else if (barrier->missing() != 0) {
    const uint32_t arrivals = random.between(1, barrier->missing());
    be(random.one_in(8) ? arrive_drop : arrive, arrivals);
  } else {
    write_bytes(random, static_cast<uint32_t>(barrier->bytes()), step);
  }
  if (index % 16 == 6 && may_be_remote(static_cast<BarrierOp>(step.op))) step.column = random.below(2);
}

void leave_bulk_copies_plain(SequenceCase& c) {
  for (uint32_t i = 0; i < c.count; ++i) {
    SequenceStep& step = c.steps[i];
    if (static_cast<BarrierOp>(step.op) != BarrierOp::bytes_arrive) continue;
    const auto write = model::async_write(step.amount);
    if (write && write->op == model::AsyncOp::bulk_copy) step.is_generic = false;
  }
}

void set_apart(Random& random, uint64_t index, const model::BarrierMachine& machine, SequenceStep& step) {
  if (index % 8 != 5 || step.lanes == 1 || random.one_in(3)) return;
  const uint32_t apart = random.between(1, SequenceCase::targets - 1);
  for (uint32_t bits = 0; bits < SequenceCase::targets; ++bits) {
    const uint32_t target = step.target ^ (bits & apart);
    if (machine.find(target) != nullptr) continue;
    const auto lanes = static_cast<uint32_t>(std::popcount(step.lanes));
    step = {.op = static_cast<uint32_t>(BarrierOp::init),
            .target = target,
            .amount = std::max(1u, lanes / 2) * random.between(1, 2)};
    return;
  }
  step.apart = apart;
}

void let_none_be_under_way(Random random, SequenceCase& c) {
  random = apart(apart(apart(apart(apart(random)))));
  for (uint32_t i = 0; i < c.count; ++i)
    if (is_of_copies(static_cast<BarrierOp>(c.steps[i].op)) && random.one_in(2))
      c.steps[i].idle_copies = random.between(1, idle_copies_ways - 1);
}

void add_bystanders(Random random, SequenceCase& c) {
  for (int times = 0; times < 6; ++times) random = apart(random);
  c.has_bystanders = c.needs_cluster() && random.one_in(2);
}

SequenceStep plainer(const SequenceStep& step) {
  SequenceStep plain = step;
  const auto op = static_cast<BarrierOp>(step.op);
  if (op == BarrierOp::pass_phases) plain.amount = phase_arrivals(step.amount);
  if (op == BarrierOp::bytes_arrive) {
    plain.op = static_cast<uint32_t>(BarrierOp::complete_tx);
    plain.amount = model::async_write(step.amount)->bytes;
  }
  plain.idle_copies = 0;
  if (op == BarrierOp::pass_phases || is_of_copies(op)) plain.op = static_cast<uint32_t>(BarrierOp::arrive);
  return plain;
}

namespace {

void remove(SequenceCase& c, uint32_t first, uint32_t count) {
  std::copy(c.steps.begin() + first + count, c.steps.begin() + c.count, c.steps.begin() + first);
  std::fill(c.steps.begin() + (c.count - count), c.steps.begin() + c.count, SequenceStep{});
  c.count -= count;
}

}  // namespace

std::vector<SequenceCase> simpler(const SequenceCase& c) {
  SimplerCases<SequenceCase> steps(
      c, [](const SequenceCase& s) { return s.count != 0 && model::legal_steps(s) == s.count; });
  const auto offer = [&](auto change) { steps.offer(change); };
  offer([](SequenceCase& s) { s.warps = tmem_warps; });
  offer([](SequenceCase& s) { s.issuer = 0; });
  if (c.cluster_size > 2)
    offer([](SequenceCase& s) {
      s.cluster_size = 2, s.issuer %= 2;
      for (SequenceStep& step : s.steps) step.column = std::min(step.column, 1u);
    });
  offer([](SequenceCase& s) { s.place = 0; });
  offer([](SequenceCase& s) { s.has_bystanders = false; });
  offer([](SequenceCase& s) {
    for (SequenceStep& step : s.steps) step.is_generic = false;
  });
  offer([](SequenceCase& s) {
    for (SequenceStep& step : s.steps)
      if (s.machine == SequenceMachine::tensor_memory &&
          (static_cast<TmemOp>(step.op) == TmemOp::commit || static_cast<TmemOp>(step.op) == TmemOp::wait))
        step.column = 0;
  });
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
    if (step.is_generic) offer([&](SequenceCase& s) { s.steps[i].is_generic = false; });
    if (const uint32_t form = c.machine == SequenceMachine::barriers ? 0 : model::form_of(step); form != 0) {
      offer([&](SequenceCase& s) { s.steps[i] = model::with_form(step, 0); });
      if (model::has_other_shape(step))
        offer([&](SequenceCase& s) { s.steps[i] = model::with_form(step, form % model::spelling_ways); });
    }
    if (step.apart != 0) offer([&](SequenceCase& s) { s.steps[i].apart = 0; });
    if (step.idle_copies != 0) offer([&](SequenceCase& s) { s.steps[i].idle_copies = 0; });
    if (step.spelling != 0) offer([&](SequenceCase& s) { s.steps[i].spelling = 0; });
    if (c.machine == SequenceMachine::barriers && plainer(step) != step)
      offer([&](SequenceCase& s) { s.steps[i] = plainer(step); });
    if (step.lanes != 1) {
      offer([&](SequenceCase& s) { s.steps[i].lanes = 1, s.steps[i].apart = 0; });
      offer([&](SequenceCase& s) {
        s.steps[i].lanes = 1, s.steps[i].apart = 0,
        s.steps[i].amount *= static_cast<uint32_t>(std::popcount(step.lanes));
      });
      offer([&](SequenceCase& s) { s.steps[i].lanes &= s.steps[i].lanes - 1; });
    }
    for (const uint32_t amount : {0u, 1u, 16u, step.amount / 2})
      if (amount < step.amount) offer([&](SequenceCase& s) { s.steps[i].amount = amount; });
  }
  for (uint32_t target = 1; target < tmem_targets; ++target)
    offer([&](SequenceCase& s) {
      for (SequenceStep& step : s.steps)
        if (step.target == target) step.target = 0;
    });
  return std::move(steps.made);
}

}  // namespace assay::gen
