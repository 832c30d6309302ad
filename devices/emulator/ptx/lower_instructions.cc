// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "devices/emulator/insns/control.h"
#include "devices/emulator/machine/step.h"
#include "devices/emulator/ptx/lower.h"
#include "devices/emulator/ptx/lowerer.h"
#include "devices/emulator/ptx/module.h"

namespace assay::emulator::ptx {

namespace {

/// (ptx) Semantics and scopes; atom, red and what has .volatile are relaxed where nothing else is said,
/// mbarrier and barrier.cluster release and acquire.
race::MemoryOrder order_of(const Opcode& opcode) {
  race::MemoryOrder order;
  const bool is_fence = opcode.base == "fence" || opcode.base == "membar";
  const bool is_barrier = opcode.base == "mbarrier" || opcode.base == "barrier";
  const bool is_relaxed = opcode.has("relaxed");
  const bool is_default = is_fence || (is_barrier && !is_relaxed);
  order.acquires = is_default || opcode.has("acquire") || opcode.has("acq_rel");
  order.releases = is_default || opcode.has("release") || opcode.has("acq_rel");
  order.is_strong = order.acquires || order.releases || is_relaxed || opcode.has("volatile") ||
                    opcode.has("mmio") || opcode.base == "atom" || opcode.base == "red";
  // What bypasses the caches of a multiprocessor is there for others to see.
  const bool is_plain = opcode.base == "ld" || opcode.base == "st";
  order.is_strong |= is_plain && (opcode.has("cg") || opcode.has("cv") || opcode.has("wt"));
  order.is_atomic = opcode.base == "atom";
  // (ptx, mbarrier.arrive) .cta is the default; of waits none is held to it, since no library names another.
  const bool arrives = opcode.base == "mbarrier" && (opcode.has("arrive") || opcode.has("arrive_drop"));
  order.scope = opcode.has("cluster")          ? race::Scope::cluster
                : opcode.has("cta") || arrives ? race::Scope::cta
                                               : race::Scope::gpu;
  const bool is_matrix = opcode.base == "ldmatrix" || opcode.base == "stmatrix" || opcode.base == "wmma";
  order.is_collective =
      is_matrix || opcode.base == "tcgen05" || (opcode.base == "tensormap" && opcode.has("sync"));
  order.is_read_only = opcode.base == "ld" && opcode.has("nc");
  return order;
}

/// What came after PTX 9.0 (PTX ISA Notes of each chapter; CCCL's generated headers; ptxas 13.5).
struct LaterForm {
  std::string_view instruction, word;  ///< how it begins; a qualifier, or empty
  int version;
};
constexpr LaterForm later_forms[] = {{"cp.async.bulk", "multicast::cluster::16b", 94},
                                     {"cp.async.bulk", "multicast::cluster::32b", 94},
                                     {"cp.async.bulk", "ignore_oob", 92},
                                     {"cp.async.bulk", "sync_restrict::proxy::async", 95},
                                     {"st.async", "b128", 92},
                                     {"mbarrier", "layout::v0", 93},
                                     {"mbarrier", "layout::v1", 93},
                                     {"mbarrier", "phase_type::primary", 93},
                                     {"mbarrier", "phase_type::conditional", 93},
                                     {"tcgen05", "exclusive", 94},
                                     {"tcgen05", "sync_restrict::shared::read::mma::a", 94},
                                     {"tcgen05", "multicast::cluster::16b", 94},
                                     {"tcgen05", "multicast::cluster::32b", 94},
                                     {"tensormap.query", "", 95}};

/// The version that an instruction needs where it is later than 9.0, else 0.
int later_version(const Opcode& opcode) {
  for (const LaterForm& one : later_forms)
    if (opcode.text.starts_with(one.instruction) && (one.word.empty() || opcode.has(one.word)))
      return one.version;
  return 0;
}

std::string version_text(int version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

bool names_tensor_maps(const Opcode& opcode) {
  return opcode.base == "tensormap" ||
         std::any_of(opcode.qualifiers.begin(), opcode.qualifiers.end(),
                     [](const std::string& qualifier) { return qualifier.starts_with("tensor"); });
}

}  // namespace

const OpcodeFacts& Lowerer::facts_of(const Opcode& opcode) {
  const auto [found, is_new] = facts_.try_emplace(&opcode);
  if (is_new) {
    found->second = {order_of(opcode), find_family(opcode)};
    program_.names_tensor_maps |= names_tensor_maps(opcode);
    program_.releases_dependents |= opcode.text == "griddepcontrol.launch_dependents";
    program_.copies |= opcode.base == "cp";
    program_.reads_only |= found->second.order.is_read_only;
    program_.uses_wgmma |= opcode.base == "wgmma";
  }
  return found->second;
}

Instruction Lowerer::start(const Statement& statement) {
  Instruction instruction;
  instruction.line = statement.line;
  instruction.opcode = statement.opcode;
  instruction.order = facts_of(*statement.opcode).order;
  if (!statement.guard.empty()) {
    SyntaxOperand guard;
    guard.kind = SyntaxOperand::Kind::name;
    guard.name = statement.guard;
    const Operand predicate = named(guard);
    if (!predicate.is_register || predicate.bits != 1) fail("'" + statement.guard + "' is not a predicate");
    instruction.guard = predicate.column;
    instruction.guard_negated = statement.guard_negated;
  }
  return instruction;
}

void Lowerer::lower_call(const Statement& statement) {
  using Kind = SyntaxOperand::Kind;
  const auto& operands = statement.operands;
  size_t at = 0;
  auto data = std::make_shared<CallData>();
  Instruction instruction = start(statement);
  instruction.flow = Instruction::Flow::control;
  if (at < operands.size() && operands[at].kind == Kind::list)
    for (const SyntaxOperand& item : operands[at++].items) data->results.push_back(call_slot(item));
  if (at >= operands.size() || operands[at].kind != Kind::name) fail("a call names a function");
  const std::string name = operands[at++].name;
  if (at < operands.size() && operands[at].kind == Kind::list)
    for (const SyntaxOperand& item : operands[at++].items) data->arguments.push_back(call_slot(item));
  uint64_t number = 0;
  Symbol* const symbol = scopes_.find(name, number);
  const bool is_indirect = symbol != nullptr && symbol->kind == Symbol::Kind::reg;
  if (is_indirect) {
    if (at >= operands.size() || operands[at].kind != Kind::name ||
        !labels_.has_prototype(open_scopes_.back(), operands[at].name))
      fail("a call through a register names a .callprototype or .calltargets of its function");
    ++at;
  }
  if (at != operands.size()) fail("a call has more operands than a function's name and arguments");
  if (is_indirect) {
    if (symbol->bits != 64) fail("a call through a register takes one of 64 bits");
    data->target = register_column(*symbol, number);
    lower_addressed_functions();
    instruction.execute = execute_indirect_call;
    instruction.data = std::move(data);
    return emit(std::move(instruction));
  }
  bool is_defined = false;
  for (const FunctionSyntax& function : module_.functions)
    is_defined |= function.name == name && function.has_body;
  if (const Execute builtin = is_defined ? nullptr : find_builtin(name)) {
    instruction.execute = builtin;
    instruction.flow = Instruction::Flow::next;
  } else {
    data->function = function_index(name);
    instruction.execute = execute_call;
    for (const FunctionSyntax& function : module_.functions)
      if (function.name == name && function.has_body &&
          (function.params.size() != data->arguments.size() ||
           function.returns.size() != data->results.size()))
        fail("the call of '" + name + "' does not have the parameters and results of its declaration");
  }
  instruction.data = std::move(data);
  emit(std::move(instruction));
}

void Lowerer::lower_arithmetic(const Statement& statement, Instruction& instruction) {
  const Opcode& opcode = *statement.opcode;
  std::vector<Operand>& all = instruction.operands;
  const int destination_bits = !all.empty() && all[0].is_register && all[0].bits > 1 ? all[0].bits : 0;
  const auto form = find_lane_form(opcode, destination_bits);
  if (!form) throw UnknownInstruction{line_, unknown_opcode(opcode).message, program_.name};
  if (opcode.base == "cvt" && opcode.has("rs") && !emulator::facts_of(target_).rounds_at_random)
    throw UnknownInstruction{line_,
                             "'" + opcode.text + "' does not exist on " + std::string(target_name(target_)),
                             program_.name, true};
  std::vector<const Operand*> flat;
  flat.reserve(all.size());
  for (const Operand& one : all) {
    if (one.kind == Operand::Kind::vector)
      for (const Operand& item : one.items) flat.push_back(&item);
    else
      flat.push_back(&one);
  }
  const auto complain = [&] {
    fail(wrong_operands(opcode,
                        std::string(form->second_destination ? "one or two destinations" : "a destination") +
                            " and " + std::to_string(form->sources) +
                            (form->optional_sources ? " or more" : "") + " sources")
             .message);
  };
  // `d|p` puts two operands at the front; the syntax tree does not keep the bar, the count does.
  size_t destinations = 1;
  const size_t least = static_cast<size_t>(form->sources),
               most = least + static_cast<size_t>(form->optional_sources);
  if (form->second_destination && statement.has_second_destination) destinations = 2;
  if (statement.has_second_destination != (destinations == 2)) complain();
  if (flat.size() < destinations + least || flat.size() > destinations + most) complain();
  const auto destination = [&](const Operand& one) -> Column {
    if (one.kind == Operand::Kind::sink) return fresh_column();
    if (one.kind != Operand::Kind::value || !one.is_register) complain();
    return one.column;
  };
  instruction.d = destination(*flat[0]);
  if (destinations == 2) instruction.d2 = destination(*flat[1]);
  const size_t given = flat.size() - destinations;
  size_t used = 0;
  for (size_t i = 0; i < given; ++i) {
    const Operand& source = *flat[destinations + i];
    if (source.kind != Operand::Kind::value || used >= std::size(instruction.s)) complain();
    instruction.s[used++] = source.column;
  }
  if (form->reads_carry || form->writes_carry) {
    if (!carry_.exists()) carry_ = fresh_column();
    if (form->reads_carry) instruction.s[used++] = carry_;
    if (form->writes_carry) instruction.d2 = carry_;
  }
  instruction.sources = static_cast<uint8_t>(used);
  instruction.lane_op = form->op;
  if (opcode.base == "selp") instruction.decides = Decides::selected;
  if (opcode.base == "and") instruction.decides = Decides::unless_zero;
  if (opcode.text == "or.pred") instruction.decides = Decides::unless_one;
  instruction.operands.clear();
}

std::string Lowerer::targets_that_have(Lower family, const Instruction& instruction) const {
  std::string names;
  for (const Target other : spec::all_archs) {
    Instruction there = instruction;
    if (other != target_ && !family(*instruction.opcode, other, there))
      names += (names.empty() ? "" : ", ") + std::string(target_name(other));
  }
  return names;
}

void Lowerer::lower_instruction(const Statement& statement) {
  line_ = statement.line;
  const Opcode& opcode = *statement.opcode;
  if (opcode.base == "call") return lower_call(statement);
  if (const int needed = later_version(opcode); needed > module_.version)
    throw UnknownInstruction{line_,
                             "'" + opcode.text + "' needs PTX " + version_text(needed) +
                                 "; the module declares " + version_text(module_.version),
                             program_.name};
  Instruction instruction = start(statement);
  instruction.operands.reserve(statement.operands.size());
  for (size_t i = 0; i < statement.operands.size(); ++i) {
    immediate_of_ = {&opcode, i};
    instruction.operands.push_back(operand(statement.operands[i]));
  }
  Lower family = facts_of(opcode).family;
  if (opcode.base == "mov" && !needs_machine_move(opcode, instruction.operands)) family = nullptr;
  if (family != nullptr) {
    if (auto error = family(opcode, target_, instruction)) {
      if (error->kind == Diagnostic::Kind::syntax) fail(error->message);
      const std::string others = targets_that_have(family, instruction);
      if (others.empty()) throw UnknownInstruction{line_, error->message, program_.name};
      throw UnknownInstruction{line_,
                               "'" + opcode.text + "' does not exist on " +
                                   std::string(target_name(target_)) + "; it does on " + others,
                               program_.name, true};
    }
  } else {
    lower_arithmetic(statement, instruction);
  }
  const emulator::Space space = space_of(opcode);
  if ((space == emulator::Space::shared_cta || space == emulator::Space::shared_cluster) &&
      !opcode.has("global"))
    for (const Operand& one : instruction.operands)
      instruction.has_wide_shared_address |= one.kind == Operand::Kind::address && one.bits == 64;
  for (size_t i = 0; i < instruction.operands.size(); ++i)
    if (instruction.operands[i].kind == Operand::Kind::label)
      label_uses_.emplace_back(static_cast<uint32_t>(program_.code.size()), static_cast<uint32_t>(i));
  emit(std::move(instruction));
}

}  // namespace assay::emulator::ptx
