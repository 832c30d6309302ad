// SPDX-License-Identifier: Apache-2.0
#include "reference/model/barrier/machine.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "reference/model/barrier/mbarrier.h"
#include "reference/model/barrier/sequence_case.h"
#include "reference/model/bend.h"
#include "reference/model/case_fields.h"
#include "reference/model/tmem/machine.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

constexpr uint32_t digests_a_step = 128;

/// How many steps are allowed from the first on.
template <typename Step>
uint32_t run(const SequenceCase& c, Step step) {
  for (uint32_t i = 0; i < c.count; ++i)
    if (!step(i)) return i;
  return c.count;
}

/// Of a CTA whose barriers no step names: two bits each, whether its first phase is over when its CTA has
/// arrived but once too few, and when it has arrived.
uint32_t bystander_word() {
  uint32_t word = 0;
  for (uint32_t b = 0; b < SequenceCase::targets; ++b) {
    Mbarrier barrier = *Mbarrier::initialised(bystander_arrivals);
    (void)barrier.arrive(bystander_arrivals - 1, false);
    if (barrier.is_over(0)) word |= 1u << 2 * b;
    (void)barrier.arrive(1, false);
    if (barrier.is_over(0)) word |= 2u << 2 * b;
  }
  return word;
}

}  // namespace

uint32_t output_words(SequenceMachine machine) {
  return machine == SequenceMachine::barriers ? 64 : SequenceCase::most_steps * digests_a_step;
}

uint32_t legal_steps(const SequenceCase& c) {
  if (c.count == 0 || c.count > SequenceCase::most_steps) return 0;
  BarrierMachine barriers(c);
  TmemMachine memory(/*has_values=*/false);
  return run(c, [&](uint32_t i) {
    if (c.machine == SequenceMachine::barriers && c.steps[i].column >= c.cluster_size) return false;
    if (c.machine == SequenceMachine::tensor_memory &&
        (c.steps[i].lanes != 1 || c.steps[i].apart != 0 || c.steps[i].spelling != 0 ||
         c.steps[i].idle_copies != 0))
      return false;
    if (c.machine == SequenceMachine::tensor_memory) return memory.step(c.steps[i], {});
    const auto answer = barriers.step(c.steps[i]);
    return answer && (!answer->fails || i + 1 == c.count);
  });
}

End predict_sequence(const SequenceCase& c, const spec::Readings& readings, std::span<uint32_t> output,
                     std::span<uint32_t> defined) {
  const ProgramBend* const bend = readings.bend() == nullptr ? nullptr : &readings.bend()->program;
  std::fill(output.begin(), output.end(), ~0u);
  std::fill(defined.begin(), defined.end(), ~0u);
  if (c.count == 0 || c.count > SequenceCase::most_steps) return End::undefined;
  if (bend != nullptr && bend->loses != nullptr && bend->loses(c)) return End::undefined;
  if (c.machine == SequenceMachine::tensor_memory) {
    TmemMachine memory(/*has_values=*/true, bend == nullptr ? 0 : bend->late_loads);
    return run(c,
               [&](uint32_t i) {
                 return memory.step(c.steps[i], output.subspan(i * digests_a_step, digests_a_step));
               }) == c.count
               ? End::done
               : End::undefined;
  }
  BarrierMachine machine(c, bend, c.is_found && readings.is({"MBAR-AMB-01", "faults"}));
  for (uint32_t i = 0; i < c.count; ++i) {
    const auto answer = machine.step(c.steps[i]);
    if (!answer) return End::undefined;
    if (answer->fails) return End::launch_failed;
    output[2 * i] = static_cast<uint32_t>(answer->value);
    output[2 * i + 1] = static_cast<uint32_t>(answer->value >> 32);
    const uint64_t open =
        answer->is_opaque && !spec::row_of(readings.arch()).is_measured ? ~uint64_t{0} : answer->open;
    defined[2 * i] = ~static_cast<uint32_t>(open);
    defined[2 * i + 1] = ~static_cast<uint32_t>(open >> 32);
  }
  for (uint32_t b = 0; b < SequenceCase::targets; ++b)
    output[2 * SequenceCase::most_steps + b] = machine.parities(b);
  if (!c.has_bystanders || !c.needs_cluster()) return End::done;
  for (uint32_t rank = 0; rank < c.cluster_size; ++rank)
    if (rank != c.issuer)
      output[2 * SequenceCase::most_steps + SequenceCase::targets + rank] = bystander_word();
  return End::done;
}

std::string step_words(SequenceMachine machine, const SequenceStep& s) {
  constexpr const char* of_barriers[] = {"init",
                                         "inval",
                                         "arrive",
                                         "arrive_drop",
                                         "expect_tx",
                                         "complete_tx",
                                         "arrive.expect_tx",
                                         "test_wait.parity",
                                         "test_wait",
                                         "arrive.noComplete",
                                         "arrive_drop.noComplete",
                                         "arrive_drop.expect_tx",
                                         "pending_count",
                                         "try_wait.parity",
                                         "try_wait",
                                         "inval+load",
                                         "cp.async+arrive",
                                         "cp.async+arrive.noinc",
                                         "arrive",
                                         "async write"};
  constexpr const char* of_tmem[] = {"alloc", "dealloc", "st",         "wait::st",      "ld",
                                     "mma",   "commit",  "wait",       "alloc+dealloc", "cp",
                                     "shift", "ld+st",   "ld+wait::st"};
  const bool is_barrier = machine == SequenceMachine::barriers;
  if (s.op >= (is_barrier ? barrier_ops : tmem_ops)) return "op " + std::to_string(s.op);
  std::string text = is_barrier ? of_barriers[s.op] : of_tmem[s.op];
  const auto op = static_cast<TmemOp>(s.op);
  if (is_barrier || (op != TmemOp::wait_store && op != TmemOp::commit && op != TmemOp::wait))
    text += (is_barrier ? " barrier " : " allocation ") + std::to_string(s.target);
  const std::string column = std::to_string(s.column);
  if (is_barrier)
    text += s.column == 0 ? "" : s.column == 1 ? " by the peer" : " by the CTA " + column + " ranks on";
  else if (op == TmemOp::exchange)
    text += " for allocation " + column;
  else if (s.column != 0 && (op == TmemOp::commit || op == TmemOp::wait))
    text += op == TmemOp::commit ? " to the other barrier" : " for the other barrier";
  else if (s.column != 0)
    text += op == TmemOp::deallocate || op == TmemOp::allocate ? " by warp " + column : ", column " + column;
  if (s.idle_copies != 0) text += s.idle_copies == 1 ? " without copies" : " behind complete copies";
  if (s.is_generic) text += " by a generic address";
  if (s.spelling != 0) text += " in spelling " + std::to_string(s.spelling);
  if (s.lanes != 1) text += " by " + std::to_string(std::popcount(s.lanes)) + " lanes at once";
  if (s.apart != 0)
    text += ", each at its own of " + std::to_string(1 << std::popcount(s.apart)) + " barriers";
  if (is_barrier && static_cast<BarrierOp>(s.op) == BarrierOp::try_parity)
    return text + ", " + std::to_string(s.amount & 1) + ", limit " + std::to_string(s.amount >> 1) + " ns";
  if (is_barrier && static_cast<BarrierOp>(s.op) == BarrierOp::pass_phases)
    return text + ", " + std::to_string(phase_arrivals(s.amount)) + ", in each of " +
           std::to_string(phases_of(s.amount)) + " phases";
  if (is_barrier && static_cast<BarrierOp>(s.op) == BarrierOp::bytes_arrive) {
    const std::optional<AsyncWrite> write = async_write(s.amount);
    return !write ? text
                  : text + ", " + std::string(name_of(write->op)) + " of " + std::to_string(write->bytes) +
                        " bytes at word " + std::to_string(write->first_word()) + ", value " +
                        std::to_string(write->seed);
  }
  if (!is_barrier && op == TmemOp::load && s.amount == by_columns) return text + ", one column at a time";
  if (const uint32_t form = is_barrier ? 0 : form_of(s); form != 0) {
    constexpr const char* shapes[] = {"", " by 16x64b", " by 16x128b", " by 16x256b", " by 16x32bx2"};
    constexpr const char* ways[] = {"", ", an immediate in the address", ", one without effect behind it"};
    text += std::string(shapes[form / spelling_ways % access_shapes]) + ways[form % spelling_ways];
    if (op == TmemOp::load || op == TmemOp::shift) return text;
    return text + ", " + std::to_string(with_form(s, 0).amount);
  }
  if (s.amount != 0) text += ", " + std::to_string(s.amount);
  return text;
}

template <>
nlohmann::json to_json(const SequenceCase& c) {
  nlohmann::json json = fields::written(c);
  json["machine"] = static_cast<uint32_t>(c.machine);
  json["steps"] = nlohmann::json::array();
  for (uint32_t i = 0; i < c.count && i < SequenceCase::most_steps; ++i)
    json["steps"].push_back(fields::written(c.steps[i]));
  return json;
}

template <>
SequenceCase case_from_json(const nlohmann::json& from) {
  if (!from.is_object() || !from.contains("machine") || !from.contains("steps") || !from["steps"].is_array())
    throw std::runtime_error("the case must be an object of 'machine' and a list 'steps'.");
  nlohmann::json members = from;
  members.erase("steps");
  auto c = fields::read_case<SequenceCase>(members);
  if (c.warps != tmem_warps && c.machine != SequenceMachine::tensor_memory)
    throw std::runtime_error("field 'warps' of the case is " + std::to_string(c.warps) +
                             "; it is 4 in a program of barriers.");
  const bool is_tmem = c.machine == SequenceMachine::tensor_memory;
  if (c.cluster_size != SequenceCase().cluster_size && is_tmem)
    throw std::runtime_error("field 'cluster_size' of the case is " + std::to_string(c.cluster_size) +
                             "; only a program of barriers has a cluster.");
  if (c.issuer >= (is_tmem ? 32 * tmem_warps : c.cluster_size))
    throw std::runtime_error("field 'issuer' of the case is " + std::to_string(c.issuer) +
                             "; it is a thread of four warps, or a rank of the cluster.");
  if (c.has_bystanders && is_tmem) fields::refuse("has_bystanders", "is true, of a program without clusters");
  if (c.is_found && is_tmem) fields::refuse("is_found", "is true, of a program without barriers");
  if (c.found_word != 0 && !c.is_found)
    fields::refuse("found_word", "is not 0, of a program that finds no word");
  if (c.place != 0 && is_tmem)
    throw std::runtime_error("field 'place' of the case is " + std::to_string(c.place) +
                             "; only a program of barriers has them at a place.");
  if (from["steps"].empty() || from["steps"].size() > SequenceCase::most_steps)
    throw std::runtime_error("field 'steps' of the case has not 1 to " +
                             std::to_string(SequenceCase::most_steps) + " steps.");
  c.count = static_cast<uint32_t>(from["steps"].size());
  for (uint32_t i = 0; i < c.count; ++i)
    fields::read_object("steps[" + std::to_string(i) + "].", from["steps"][i], c.steps[i]);
  if (const uint32_t legal = legal_steps(c); legal != c.count)
    throw std::runtime_error("step " + std::to_string(legal) + " of the case, " +
                             step_words(c.machine, c.steps[legal]) +
                             ", is not allowed in the state that the steps before it leave.");
  return c;
}

template <>
nlohmann::json case_schema<SequenceCase>() {
  nlohmann::json made = fields::schema_of(SequenceCase());
  made["properties"]["machine"].erase("default");
  made["properties"]["steps"] = fields::list_schema<SequenceStep>(1, SequenceCase::most_steps);
  made["required"] = {"machine", "steps"};
  return made;
}

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
