#include "devices/emulator/ptx/lower.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "devices/emulator/insns/control.h"
#include "devices/emulator/machine/cluster.h"
#include "devices/emulator/ptx/operand_types.h"
#include "devices/emulator/ptx/parser.h"
#include "devices/emulator/ptx/scopes.h"

namespace assay::emulator::ptx {
namespace {

uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

/// Labels of a function by scope. Scopes are numbered in the order in which they open; 0 is the function's
/// own.
struct Labels {
  struct Level {
    int parent = -1;
    std::map<std::string, uint32_t, std::less<>> labels;                  ///< -> number of the label
    std::map<std::string, std::vector<std::string>, std::less<>> tables;  ///< .branchtargets
  };
  std::vector<Level> levels;
  std::vector<uint32_t> positions;  ///< number of the label -> instruction index
  const uint32_t* find(int level, std::string_view name) const {
    for (; level >= 0; level = levels[static_cast<size_t>(level)].parent) {
      const auto& labels = levels[static_cast<size_t>(level)].labels;
      if (const auto found = labels.find(name); found != labels.end()) return &found->second;
    }
    return nullptr;
  }
  const std::vector<std::string>* find_table(int level, std::string_view name) const {
    for (; level >= 0; level = levels[static_cast<size_t>(level)].parent) {
      const auto& tables = levels[static_cast<size_t>(level)].tables;
      if (const auto found = tables.find(name); found != tables.end()) return &found->second;
    }
    return nullptr;
  }
};

class Lowerer {
 public:
  Lowerer(const ModuleSyntax& module, const Addresses& addresses, Target target)
      : module_(module), addresses_(addresses), target_(target) {}

  Program run(const FunctionSyntax& kernel);

 private:
  void lower_body(const FunctionSyntax& function);
  void collect_labels(const FunctionSyntax& function);
  void declare_params(const FunctionSyntax& function, ProgramFunction* callee);
  void declare(const Variable& variable);
  void place_shared(Symbol& symbol);
  void lower_instruction(const Statement& statement);
  void lower_call(const Statement& statement);
  void lower_arithmetic(const Statement& statement, Instruction& instruction);
  Instruction start(const Statement& statement);
  void emit(Instruction instruction) { program_.code.push_back(std::move(instruction)); }

  Operand operand(const SyntaxOperand& syntax);
  Operand named(const SyntaxOperand& syntax);
  Operand not_of(Operand operand);
  Operand special_register(const std::string& name);
  CallSlot call_slot(const SyntaxOperand& syntax);
  Column constant(uint64_t value);
  Column environment(EnvironmentColumn::Kind kind, uint64_t offset, const std::string& name = {});
  Column fresh_column() { return {program_.registers++}; }
  Column register_column(Symbol& symbol, uint64_t number);
  uint32_t function_index(const std::string& name);
  uint32_t local_space(uint64_t bytes, uint64_t alignment);
  [[noreturn]] void fail(std::string message) const { throw SyntaxError{line_, std::move(message)}; }

  const ModuleSyntax& module_;
  const Addresses& addresses_;
  const Target target_;
  Program program_;
  Scopes scopes_;
  Labels labels_;
  std::vector<int> open_scopes_;
  int scopes_seen_ = 0;
  std::vector<std::pair<uint32_t, uint32_t>> label_uses_;  ///< instruction, operand: target is a label number
  std::unordered_map<uint64_t, uint32_t> constants_;
  std::map<std::pair<std::string, uint64_t>, uint32_t> environment_;
  std::map<std::string, uint32_t> function_numbers_;
  std::vector<const FunctionSyntax*> functions_to_lower_;
  std::vector<uint64_t> local_marks_;
  uint64_t local_next_ = 0;
  Column carry_;
  uint32_t line_ = 0;
  std::string immediate_type_;
};

Column Lowerer::constant(uint64_t value) {
  const auto [found, is_new] =
      constants_.emplace(value, static_cast<uint32_t>(program_.constants.size() / warp_lanes));
  if (is_new) program_.constants.insert(program_.constants.end(), warp_lanes, value);
  return {found->second | Column::constant_bank};
}

Column Lowerer::environment(EnvironmentColumn::Kind kind, uint64_t offset, const std::string& name) {
  const auto key = std::make_pair(std::to_string(static_cast<int>(kind)) + name, offset);
  const auto [found, is_new] = environment_.emplace(key, program_.registers);
  if (is_new) program_.environment.push_back({kind, fresh_column().index, offset, name});
  return {found->second};
}

Column Lowerer::register_column(Symbol& symbol, uint64_t number) {
  const auto [found, is_new] = symbol.columns.emplace(number, program_.registers);
  if (is_new) program_.registers += symbol.bits == 128 ? 2 : 1;
  return {found->second};
}

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
        if (scopes_.depth() > 1) place_shared(symbol);
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

void Lowerer::place_shared(Symbol& symbol) {
  symbol.offset = align_up(program_.shared_bytes, symbol.alignment);
  symbol.is_placed = true;
  if (symbol.offset + symbol.bytes > shared_window_bytes) fail("the static shared memory exceeds the window");
  program_.shared_bytes = static_cast<uint32_t>(symbol.offset + symbol.bytes);
}

uint32_t Lowerer::function_index(const std::string& name) {
  if (const auto found = function_numbers_.find(name); found != function_numbers_.end()) return found->second;
  for (const FunctionSyntax& function : module_.functions)
    if (function.name == name && function.has_body && !function.is_entry) {
      const uint32_t index = static_cast<uint32_t>(program_.functions.size());
      function_numbers_.emplace(name, index);
      program_.functions.emplace_back().name = name;
      functions_to_lower_.push_back(&function);
      return index;
    }
  fail("the function '" + name + "' is called but not defined in this module");
}

Operand Lowerer::special_register(const std::string& name) {
  Operand made;
  made.bits = 64;
  if (is_constant_special_register(name)) {
    made.column = environment(EnvironmentColumn::Kind::special_register, 0, name);
    return made;
  }
  if (const Execute read = find_changing_special_register(name)) {
    Instruction instruction;
    instruction.execute = read;
    instruction.line = line_;
    instruction.opcode = std::make_shared<const Opcode>(make_opcode("mov.b64"));
    made.column = fresh_column();
    made.is_register = true;
    instruction.operands.push_back(made);
    emit(std::move(instruction));
    made.is_register = false;
    return made;
  }
  fail("'" + name + "' is neither declared nor a special register");
}

Operand Lowerer::named(const SyntaxOperand& syntax) {
  Operand made;
  uint64_t number = 0;
  Symbol* symbol = scopes_.find(syntax.name, number);
  const uint64_t offset = static_cast<uint64_t>(syntax.offset);
  if (symbol != nullptr) {
    switch (symbol->kind) {
      case Symbol::Kind::reg:
        made.is_register = true;
        made.bits = symbol->bits;
        made.column = register_column(*symbol, number);
        made.offset = syntax.offset;
        return made;
      case Symbol::Kind::local:
        made.column = environment(EnvironmentColumn::Kind::local_address, symbol->offset + offset);
        return made;
      case Symbol::Kind::shared:
        if (!symbol->is_placed) place_shared(*symbol);
        made.column = environment(EnvironmentColumn::Kind::shared_address, symbol->offset + offset);
        return made;
      case Symbol::Kind::dynamic_shared:
        made.column = environment(EnvironmentColumn::Kind::dynamic_shared, offset);
        return made;
      case Symbol::Kind::param:
        made.column = environment(EnvironmentColumn::Kind::param_address, symbol->offset + offset);
        return made;
      case Symbol::Kind::address:
        made.column = constant(symbol->offset + offset);
        return made;
    }
  }
  if (const uint32_t* label = labels_.find(open_scopes_.back(), syntax.name)) {
    made.kind = Operand::Kind::label;
    made.name = syntax.name;
    made.target = *label;
    return made;
  }
  if (const auto* table = labels_.find_table(open_scopes_.back(), syntax.name)) {
    made.kind = Operand::Kind::label;
    made.name = syntax.name;
    for (const std::string& target : *table) {
      const uint32_t* label = labels_.find(open_scopes_.back(), target);
      if (label == nullptr) fail("the label '" + target + "' is not defined");
      Operand item;
      item.kind = Operand::Kind::label;
      item.name = target;
      item.target = *label;
      made.items.push_back(std::move(item));
    }
    return made;
  }
  if (syntax.name == "WARP_SZ") {
    made.is_immediate = true;
    made.immediate = warp_lanes;
    made.column = constant(warp_lanes);
    return made;
  }
  if (syntax.name[0] == '%') return special_register(syntax.name);
  for (const FunctionSyntax& function : module_.functions)
    if (function.name == syntax.name) {
      made.kind = Operand::Kind::name;
      made.name = syntax.name;
      return made;
    }
  fail("'" + syntax.name + "' is not declared");
}

Operand Lowerer::not_of(Operand operand) {
  if (!operand.is_register || operand.bits != 1) fail("'!' takes a predicate");
  const auto form = find_lane_form(make_opcode("not.pred"));
  if (!form) fail("'!' is not available");
  Instruction instruction;
  instruction.lane_op = form->op;
  instruction.sources = 1;
  instruction.line = line_;
  instruction.opcode = std::make_shared<const Opcode>(make_opcode("not.pred"));
  instruction.d = fresh_column();
  instruction.s[0] = operand.column;
  operand.column = instruction.d;
  operand.is_register = false;
  emit(std::move(instruction));
  return operand;
}

Operand Lowerer::operand(const SyntaxOperand& syntax) {
  Operand made;
  switch (syntax.kind) {
    case SyntaxOperand::Kind::sink:
      made.kind = Operand::Kind::sink;
      return made;
    case SyntaxOperand::Kind::integer:
    case SyntaxOperand::Kind::real:
      made.is_immediate = true;
      made.immediate = syntax.kind == SyntaxOperand::Kind::integer
                           ? integer_immediate(syntax.bits, immediate_type_)
                           : real_immediate(syntax.bits, syntax.real_bits, immediate_type_);
      made.column = constant(made.immediate);
      break;
    case SyntaxOperand::Kind::name:
      made = named(syntax);
      break;
    case SyntaxOperand::Kind::vector:
      made.kind = Operand::Kind::vector;
      for (const SyntaxOperand& item : syntax.items) made.items.push_back(operand(item));
      break;
    case SyntaxOperand::Kind::address: {
      SyntaxOperand base;
      base.kind = SyntaxOperand::Kind::name;
      base.name = syntax.name;
      if (syntax.name.empty()) {
        made.column = constant(syntax.bits);
      } else {
        made = named(base);
        if (made.kind != Operand::Kind::value || made.bits == 1)
          fail("'" + syntax.name + "' is not an address");
      }
      made.kind = Operand::Kind::address;
      made.offset = syntax.offset;
      made.is_register = false;
      for (const SyntaxOperand& item : syntax.items) made.items.push_back(operand(item));
      break;
    }
    case SyntaxOperand::Kind::list:
      fail("a list in parentheses belongs to a call");
  }
  if (made.kind == Operand::Kind::value && made.is_register && made.offset != 0)
    fail("a register takes no offset outside brackets");
  if (syntax.is_negated) return not_of(std::move(made));
  return made;
}

Instruction Lowerer::start(const Statement& statement) {
  Instruction instruction;
  instruction.line = statement.line;
  instruction.opcode = std::make_shared<const Opcode>(statement.opcode);
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

CallSlot Lowerer::call_slot(const SyntaxOperand& syntax) {
  if (syntax.kind == SyntaxOperand::Kind::name) {
    uint64_t number = 0;
    const Symbol* symbol = scopes_.find(syntax.name, number);
    if (symbol != nullptr && symbol->kind == Symbol::Kind::local)
      return {false, {}, static_cast<uint32_t>(symbol->offset), static_cast<uint32_t>(symbol->bytes)};
  }
  immediate_type_ = "b64";
  const Operand made = operand(syntax);
  if (made.kind != Operand::Kind::value)
    fail("an argument of a call must be a register, a number or a .param variable");
  return {true, made.column, 0, static_cast<uint32_t>(std::max(1, (made.bits ? made.bits : 64) / 8))};
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
  if (at != operands.size()) fail("a call has more operands than a function's name and arguments");
  uint64_t number = 0;
  if (scopes_.find(name, number) != nullptr) {
    throw UnknownInstruction{
        line_,
        "an indirect call ('" + statement.opcode.text + "' through a register) is not known to this emulator",
        program_.name};
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
  const Opcode& opcode = statement.opcode;
  std::vector<Operand>& all = instruction.operands;
  const int destination_bits = !all.empty() && all[0].is_register && all[0].bits > 1 ? all[0].bits : 0;
  const auto form = find_lane_form(opcode, destination_bits);
  if (!form) throw UnknownInstruction{line_, unknown_opcode(opcode).message, program_.name};
  std::vector<Operand> flat;
  for (const Operand& one : all) {
    if (one.kind == Operand::Kind::vector)
      flat.insert(flat.end(), one.items.begin(), one.items.end());
    else
      flat.push_back(one);
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
  instruction.d = destination(flat[0]);
  if (destinations == 2) instruction.d2 = destination(flat[1]);
  const size_t given = flat.size() - destinations;
  size_t used = 0;
  for (size_t i = 0; i < given; ++i) {
    const Operand& source = flat[destinations + i];
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

void Lowerer::lower_instruction(const Statement& statement) {
  line_ = statement.line;
  const Opcode& opcode = statement.opcode;
  if (opcode.base == "call") return lower_call(statement);
  Instruction instruction = start(statement);
  for (size_t i = 0; i < statement.operands.size(); ++i) {
    immediate_type_ = immediate_type(opcode, i);
    instruction.operands.push_back(operand(statement.operands[i]));
  }
  Lower family = find_family(opcode);
  if (opcode.base == "mov" && !needs_machine_move(opcode, instruction.operands)) family = nullptr;
  if (family != nullptr) {
    if (auto error = family(opcode, target_, instruction)) {
      if (error->kind == Diagnostic::Kind::syntax) fail(error->message);
      throw UnknownInstruction{line_, error->message, program_.name};
    }
  } else {
    lower_arithmetic(statement, instruction);
  }
  for (size_t i = 0; i < instruction.operands.size(); ++i)
    if (instruction.operands[i].kind == Operand::Kind::label)
      label_uses_.emplace_back(static_cast<uint32_t>(program_.code.size()), static_cast<uint32_t>(i));
  emit(std::move(instruction));
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
  for (const Statement& statement : function.body) {
    line_ = statement.line;
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
  return std::move(program_);
}

}  // namespace

std::string variable_key(const Variable& variable) {
  return variable.name + "@" + std::to_string(variable.line);
}

Program lower_kernel(const ModuleSyntax& module, const FunctionSyntax& kernel, const Addresses& addresses,
                     Target target) {
  return Lowerer(module, addresses, target).run(kernel);
}

}  // namespace assay::emulator::ptx
