#include "generators/sequence_forms.h"

#include "reference/model/sequence.h"
#include "reference/model/tmem_forms.h"

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

SequenceStep plain_arrival(const SequenceStep& step) {
  SequenceStep plain = step;
  const auto op = static_cast<BarrierOp>(step.op);
  if (op == BarrierOp::pass_phases) plain.amount = phase_arrivals(step.amount);
  plain.idle_copies = 0;
  if (op == BarrierOp::pass_phases || is_of_copies(op)) plain.op = static_cast<uint32_t>(BarrierOp::arrive);
  return plain;
}

}  // namespace assay::gen
