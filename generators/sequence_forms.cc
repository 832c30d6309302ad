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

SequenceStep plain_arrival(const SequenceStep& step) {
  SequenceStep plain = step;
  const auto op = static_cast<BarrierOp>(step.op);
  if (op == BarrierOp::pass_phases) plain.amount = phase_arrivals(step.amount);
  if (op == BarrierOp::pass_phases || op == BarrierOp::copies_arrive || op == BarrierOp::copies_arrive_noinc)
    plain.op = static_cast<uint32_t>(BarrierOp::arrive);
  return plain;
}

}  // namespace assay::gen
