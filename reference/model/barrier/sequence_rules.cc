// SPDX-License-Identifier: Apache-2.0
#include "reference/model/barrier/machine.h"
#include "reference/model/barrier/sequence.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using spec::rule;

/// Of a step, and of what it did to its barrier.
void note_barrier(const SequenceStep& s, const BarrierState& before, const Mbarrier* after,
                  spec::RuleSet& rules) {
  const BarrierEvent e{
      static_cast<BarrierOp>(s.op), s.amount, s.column != 0, s.is_generic, before, s.idle_copies == 0};
  if (e.is_generic) rules.set(rule("MBAR-R12"));
  if (e.op == BarrierOp::init) rules.set(rule("MBAR-R01"));
  if (e.arrives() || e.op == BarrierOp::pass_phases) rules.set(rule("MBAR-R02"));
  if (e.arrives() && !e.is_remote) rules.set(rule("MBAR-R10"));
  if (e.drops()) rules.set(rule("MBAR-R03"));
  if (e.expects()) rules.set(rule("MBAR-R04"));
  if (e.op == BarrierOp::complete_tx) rules.set(rule("MBAR-R05"));
  if (e.is_no_complete()) rules.set(rule("MBAR-R09"));
  if (e.is_of_copies()) rules.set(rule("MBAR-R13"));
  if (e.op == BarrierOp::bytes_arrive) rules.set(rule("MBAR-R14"));
  if (e.op >= BarrierOp::test_parity && !e.is_of_copies() && e.op != BarrierOp::pending_count &&
      !e.arrives() && e.op != BarrierOp::read_word)
    rules.set(rule("MBAR-R11"));
  if (after == nullptr || e.op == BarrierOp::init || after->phase() == before.phase) return;
  rules.set(rule("MBAR-R06"));
  rules.set(rule("MBAR-R07"));
  if (after->count() == 0) rules.set(rule("MBAR-R08"));
}

void note_tensor_memory(const SequenceStep& s, spec::RuleSet& rules) {
  const auto op = static_cast<TmemOp>(s.op);
  if (op == TmemOp::allocate || op == TmemOp::exchange) rules.set(rule("TMEM-R15"));
  if (op == TmemOp::deallocate || op == TmemOp::exchange) rules.set(rule("TMEM-R16"));
  if (op == TmemOp::replace) rules.set(rule("SYNC-R02"));
  if (op == TmemOp::commit) rules.set(rule("SYNC-R01"));
}

}  // namespace

spec::RuleSet exercised_sequence_rules(const SequenceCase& c) {
  spec::RuleSet rules;
  BarrierMachine machine(c);
  if (c.is_found) rules.set(rule("MBAR-R15"));
  for (uint32_t i = 0; i < c.count; ++i) {
    const SequenceStep& s = c.steps[i];
    if (c.machine == SequenceMachine::tensor_memory) {
      note_tensor_memory(s, rules);
      continue;
    }
    const Mbarrier* const found = machine.find(s.target);
    const BarrierState before = found == nullptr ? BarrierState{} : found->state();
    const auto answer = machine.step(s);
    if (!answer) break;
    if (answer->fails && found != nullptr && found->is_damaged()) rules.set(rule("MBAR-R16"));
    if (answer->fails) break;
    note_barrier(s, before, machine.find(s.target), rules);
  }
  return rules;
}

}  // namespace assay::model
