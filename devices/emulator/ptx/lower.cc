// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/ptx/lower.h"

#include <cxxabi.h>
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "devices/emulator/insns/control.h"
#include "devices/emulator/machine/cluster.h"
#include "devices/emulator/ptx/lowerer.h"

namespace assay::emulator::ptx {

uint32_t Lowerer::local_space(uint64_t bytes, uint64_t alignment) {
  const uint64_t offset = align_up(local_next_, std::max<uint64_t>(alignment, 1));
  local_next_ = offset + bytes;
  if (local_next_ > (512u << 10)) fail("the local memory of a thread is larger than 512 KiB");
  program_.local_bytes = std::max(program_.local_bytes, static_cast<uint32_t>(local_next_));
  return static_cast<uint32_t>(offset);
}

void Lowerer::declare(const Variable& variable) {
  line_ = variable.line;
  Symbol symbol;
  symbol.bytes = variable.bytes();
  switch (variable.space) {
    case Space::reg:
      symbol.kind = Symbol::Kind::reg;
      symbol.bits = static_cast<uint16_t>(variable.type == "pred" ? 1 : variable.element_bytes * 8);
      symbol.is_range = variable.is_range;
      symbol.count = variable.count;
      break;
    case Space::local:
    case Space::param:
      symbol.kind = Symbol::Kind::local;
      symbol.offset = local_space(variable.bytes(), variable.alignment);
      break;
    case Space::shared:
      if (variable.is_unsized) {
        symbol.kind = Symbol::Kind::dynamic_shared;
      } else {
        symbol.kind = Symbol::Kind::shared;
        symbol.alignment = variable.alignment;
        // A kernel pays for the shared variables of the module that it names, not for those of its
        // neighbours.
        symbol.is_placed = false;
        if (scopes_.depth() > 1) place_shared(symbol, variable.name);
      }
      break;
    case Space::global:
    case Space::constant: {
      const auto found = addresses_.find(variable_key(variable));
      if (found == addresses_.end()) fail("the variable '" + variable.name + "' has no address");
      symbol.kind = Symbol::Kind::address;
      symbol.offset = found->second;
      if (variable.space == Space::constant)
        program_.constant_ranges.emplace_back(found->second, variable.bytes());
      break;
    }
  }
  if (!scopes_.declare(variable.name, std::move(symbol))) fail("'" + variable.name + "' is declared twice");
}

/// "full" of "_ZZ4gemmPfE4full", a variable of a function.
static std::string plain_name(const std::string& name) {
  int status = 0;
  char* const text = ::__cxxabiv1::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (status != 0 || text == nullptr) return name;
  const std::string made = text;
  std::free(text);
  const size_t scope = made.rfind("::");
  return scope == made.npos ? made : made.substr(scope + 2);
}

void Lowerer::place_shared(Symbol& symbol, const std::string& name) {
  symbol.offset = align_up(program_.shared_bytes, symbol.alignment);
  symbol.is_placed = true;
  if (symbol.offset + symbol.bytes > emulator::facts_of(target_).shared_bytes)
    fail("the static shared memory exceeds the window");
  program_.shared_bytes = static_cast<uint32_t>(symbol.offset + symbol.bytes);
  program_.shared_variables[static_cast<uint32_t>(symbol.offset)] = {plain_name(name),
                                                                     static_cast<uint32_t>(symbol.bytes)};
}

uint32_t Lowerer::function_index(const std::string& name) {
  if (const auto found = function_numbers_.find(name); found != function_numbers_.end()) return found->second;
  for (const FunctionSyntax& function : module_.functions)
    if (function.name == name && function.has_body && !function.is_entry) {
      if (!function.error.empty()) throw SyntaxError{function.error_line, function.error};
      const uint32_t index = static_cast<uint32_t>(program_.functions.size());
      function_numbers_.emplace(name, index);
      program_.functions.emplace_back().name = name;
      functions_to_lower_.push_back(&function);
      return index;
    }
  fail("the function '" + name + "' is called but not defined in this module");
}

void Lowerer::lower_addressed_functions() {
  if (!program_.function_addresses.empty()) return;
  std::set<std::string_view> names;
  for (const Variable& variable : module_.variables)
    for (const Initial& initial : variable.initial) names.insert(initial.symbol);
  for (const FunctionSyntax& function : module_.functions)
    for (const Statement& statement : function.body)
      if (statement.kind == Statement::Kind::instruction && statement.opcode->base != "call")
        for (const SyntaxOperand& operand : statement.operands) names.insert(operand.name);
  for (const FunctionSyntax& function : module_.functions)
    if (function.has_body && !function.is_entry && function.error.empty() && names.contains(function.name))
      program_.function_addresses.emplace_back(function_address(module_, function.name),
                                               function_index(function.name));
}

void Lowerer::collect_labels(const FunctionSyntax& function) {
  labels_ = {};
  std::vector<int> open;
  for (const Statement& statement : function.body) {
    if (statement.kind == Statement::Kind::open) {
      labels_.levels.push_back({open.empty() ? -1 : open.back(), {}, {}});
      open.push_back(static_cast<int>(labels_.levels.size()) - 1);
    } else if (statement.kind == Statement::Kind::close) {
      open.pop_back();
    } else if (statement.kind == Statement::Kind::label) {
      const uint32_t number = static_cast<uint32_t>(labels_.positions.size());
      if (!labels_.levels[static_cast<size_t>(open.back())].labels.emplace(statement.name, number).second)
        throw SyntaxError{statement.line, "the label '" + statement.name + "' is defined twice in one scope"};
      labels_.positions.push_back(0);
    } else if (statement.kind == Statement::Kind::prototype) {
      labels_.levels[static_cast<size_t>(open.back())].prototypes.insert(statement.name);
    } else if (statement.kind == Statement::Kind::branch_targets) {
      labels_.levels[static_cast<size_t>(open.back())].tables.emplace(statement.name, statement.targets);
    }
  }
}

void Lowerer::lower_body(const FunctionSyntax& function) {
  collect_labels(function);
  label_uses_.clear();
  open_scopes_.clear();
  scopes_seen_ = 0;
  uint32_t label_number = 0;
  const Opcode* grouped = nullptr;  // the first tcgen05 instruction with a .cta_group
  for (const Statement& statement : function.body) {
    line_ = statement.line;
    if (statement.kind == Statement::Kind::instruction && statement.opcode->base == "tcgen05" &&
        (statement.opcode->has("cta_group::1") || statement.opcode->has("cta_group::2"))) {
      if (grouped == nullptr) grouped = statement.opcode.get();
      if (grouped->has("cta_group::1") != statement.opcode->has("cta_group::1"))
        throw SyntaxError{
            line_, "'" + function.name + "' has tcgen05 instructions of both .cta_group::1 and .cta_group::2",
            true};
    }
    switch (statement.kind) {
      case Statement::Kind::open:
        open_scopes_.push_back(scopes_seen_++);
        scopes_.open();
        local_marks_.push_back(local_next_);
        break;
      case Statement::Kind::close:
        // A function ends with an implicit return.
        if (open_scopes_.size() == 1) {
          Instruction end;
          end.line = statement.line;
          end.flow = Instruction::Flow::control;
          end.execute = execute_return;
          end.opcode = std::make_shared<const Opcode>(make_opcode("ret"));
          emit(std::move(end));
        }
        open_scopes_.pop_back();
        scopes_.close();
        local_next_ = local_marks_.back();
        local_marks_.pop_back();
        break;
      case Statement::Kind::label:
        labels_.positions[label_number++] = static_cast<uint32_t>(program_.code.size());
        break;
      case Statement::Kind::declare:
        for (const Variable& variable : statement.variables) declare(variable);
        break;
      case Statement::Kind::instruction:
        lower_instruction(statement);
        break;
      case Statement::Kind::branch_targets:
      case Statement::Kind::prototype:
        break;
    }
  }
  for (const auto& [index, which] : label_uses_) {
    Instruction& instruction = program_.code[index];
    Operand& label = instruction.operands[which];
    for (Operand& item : label.items) item.target = labels_.positions[item.target];
    if (!label.items.empty()) continue;
    label.target = labels_.positions[label.target];
    if (instruction.flow == Instruction::Flow::branch) instruction.target = label.target;
  }
}

void Lowerer::declare_params(const FunctionSyntax& function, ProgramFunction* callee) {
  const auto place = [&](const Variable& variable, std::vector<CallSlot>& slots) {
    line_ = variable.line;
    declare(variable);
    uint64_t number = 0;
    Symbol* symbol = scopes_.find(variable.name, number);
    if (symbol->kind == Symbol::Kind::reg)
      slots.push_back({true, register_column(*symbol, 0), 0, std::max<uint32_t>(1, symbol->bits / 8u)});
    else
      slots.push_back(
          {false, {}, static_cast<uint32_t>(symbol->offset), static_cast<uint32_t>(symbol->bytes)});
  };
  if (callee != nullptr) {
    for (const Variable& variable : function.returns) place(variable, callee->returns);
    for (const Variable& variable : function.params) place(variable, callee->params);
    return;
  }
  uint64_t next = 0;
  for (const Variable& variable : function.params) {
    line_ = variable.line;
    Symbol symbol;
    symbol.kind = Symbol::Kind::param;
    symbol.offset = align_up(next, variable.alignment);
    symbol.bytes = variable.bytes();
    next = symbol.offset + symbol.bytes;
    if (next > 32764) fail("the parameters of '" + function.name + "' exceed 32764 bytes");
    program_.params.push_back({variable.name, static_cast<uint32_t>(symbol.offset),
                               static_cast<uint32_t>(symbol.bytes), variable.alignment});
    if (!scopes_.declare(variable.name, std::move(symbol))) fail("'" + variable.name + "' is declared twice");
  }
  program_.param_bytes = static_cast<uint32_t>(next);
}

namespace {

/// Whether a function may be entered while it is active.
bool may_recurse(const Program& program) {
  const size_t count = program.functions.size();
  // reaches[f * count + g]: f calls g, and then: by way of others too.
  std::vector<bool> reaches(count * count);
  for (size_t f = 0; f < count; ++f) {
    const size_t end = f + 1 < count ? program.functions[f + 1].entry : program.code.size();
    for (size_t at = program.functions[f].entry; at < end; ++at) {
      const Instruction& instruction = program.code[at];
      for (size_t g = 0; g < count; ++g)
        if (instruction.execute == execute_indirect_call ||
            (instruction.execute == execute_call &&
             static_cast<const CallData*>(instruction.data.get())->function == g))
          reaches[f * count + g] = true;
    }
  }
  for (size_t by = 0; by < count; ++by)
    for (size_t f = 0; f < count; ++f)
      for (size_t g = 0; g < count && reaches[f * count + by]; ++g)
        if (reaches[by * count + g]) reaches[f * count + g] = true;
  for (size_t f = 0; f < count; ++f)
    if (reaches[f * count + f]) return true;
  return false;
}

}  // namespace

Program Lowerer::run(const FunctionSyntax& kernel) {
  program_.name = kernel.name;
  program_.max_threads = kernel.max_threads;
  program_.required_threads = kernel.required_threads;
  program_.required_cluster = kernel.required_cluster;
  program_.is_explicit_cluster = kernel.is_explicit_cluster;
  scopes_.open();
  for (const Variable& variable : module_.variables) declare(variable);
  scopes_.open();
  declare_params(kernel, nullptr);
  if (!kernel.error.empty()) throw SyntaxError{kernel.error_line, kernel.error};
  lower_body(kernel);
  scopes_.close();
  for (size_t i = 0; i < functions_to_lower_.size(); ++i) {
    const FunctionSyntax& function = *functions_to_lower_[i];
    local_next_ = align_up(program_.local_bytes, 16);
    ProgramFunction lowered = program_.functions[i];
    lowered.first_register = program_.registers;
    lowered.local_begin = static_cast<uint32_t>(local_next_);
    lowered.entry = static_cast<uint32_t>(program_.code.size());
    scopes_.open();
    declare_params(function, &lowered);
    lower_body(function);
    scopes_.close();
    lowered.register_count = program_.registers - lowered.first_register;
    lowered.local_bytes = std::max(program_.local_bytes, lowered.local_begin) - lowered.local_begin;
    program_.functions[i] = std::move(lowered);
  }
  program_.recurses = may_recurse(program_);
  return std::move(program_);
}

std::string variable_key(const Variable& variable) {
  return variable.name + "@" + std::to_string(variable.line);
}

Program lower_kernel(const ModuleSyntax& module, const FunctionSyntax& kernel, const Addresses& addresses,
                     Target target) {
  return Lowerer(module, addresses, target).run(kernel);
}

}  // namespace assay::emulator::ptx
