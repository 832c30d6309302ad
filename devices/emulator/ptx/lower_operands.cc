// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <utility>

#include "devices/emulator/machine/special_registers.h"
#include "devices/emulator/ptx/lower.h"
#include "devices/emulator/ptx/lowerer.h"
#include "devices/emulator/ptx/parser.h"

namespace assay::emulator::ptx {

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
  if (is_new) {
    program_.registers += symbol.bits == 128 ? 2 : 1;
    program_.register_words.resize(program_.registers, 0);
    if (symbol.bits != 1) program_.register_words[found->second] = symbol.bits <= 32 ? 1 : symbol.bits / 32;
  }
  return {found->second};
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
        if (!symbol->is_placed) place_shared(*symbol, syntax.name);
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
  if (const uint64_t address = function_address(module_, syntax.name)) {
    made.column = constant(address);
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
                           ? integer_immediate(syntax.bits, immediate_of_.type())
                           : real_immediate(syntax.bits, syntax.real_bits, immediate_of_.type());
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

CallSlot Lowerer::call_slot(const SyntaxOperand& syntax) {
  if (syntax.kind == SyntaxOperand::Kind::name) {
    uint64_t number = 0;
    const Symbol* symbol = scopes_.find(syntax.name, number);
    if (symbol != nullptr && symbol->kind == Symbol::Kind::local)
      return {false, {}, static_cast<uint32_t>(symbol->offset), static_cast<uint32_t>(symbol->bytes)};
  }
  immediate_of_ = {};
  const Operand made = operand(syntax);
  if (made.kind != Operand::Kind::value)
    fail("an argument of a call must be a register, a number or a .param variable");
  return {true, made.column, 0, static_cast<uint32_t>(std::max(1, (made.bits ? made.bits : 64) / 8))};
}

std::string immediate_type(const Opcode& opcode, size_t i) {
  std::string type;
  for (const std::string& qualifier : opcode.qualifiers)
    if (type_bytes(qualifier) != 0) type = qualifier;
  // The addend of a widening multiply is as wide as the result.
  if (opcode.base == "mad" && opcode.has("wide") && i == 3)
    return type == "s16" || type == "u16" ? "u32" : "u64";
  // A shift amount has 32 bits whatever it shifts.
  if ((opcode.base == "shl" || opcode.base == "shr") && i == 2) return "u32";
  // Constants of wgmma are -1, 0 or 1 and no elements.
  if (opcode.base == "wgmma") return "";
  // slct selects between values of its first type by one of its second.
  if (opcode.base == "slct" && i < 3)
    for (const std::string& qualifier : opcode.qualifiers)
      if (type_bytes(qualifier) != 0) return qualifier;
  // Elsewhere .pred is the type of the destination: bar.red.and.pred, vote.sync.all.pred.
  constexpr std::string_view logic[] = {"mov", "and", "or", "xor", "not"};
  if (type == "pred" && std::find(std::begin(logic), std::end(logic), opcode.base) == std::end(logic))
    return "";
  return type;
}

uint64_t integer_immediate(uint64_t value, const std::string& type) {
  const uint32_t bytes = type_bytes(type);
  if (type == "pred") return value != 0;
  return bytes == 0 || bytes >= 8 ? value : value & ((1ull << bytes * 8) - 1);
}

uint64_t real_immediate(uint64_t pattern, uint8_t pattern_bits, const std::string& type) {
  if (pattern_bits == 64 && type == "f32") {
    double value;
    std::memcpy(&value, &pattern, sizeof value);
    const float narrow = static_cast<float>(value);
    uint32_t bits;
    std::memcpy(&bits, &narrow, sizeof bits);
    return bits;
  }
  if (pattern_bits == 32 && type == "f64") {
    const uint32_t bits = static_cast<uint32_t>(pattern);
    float value;
    std::memcpy(&value, &bits, sizeof value);
    const double wide = value;
    std::memcpy(&pattern, &wide, sizeof pattern);
  }
  return pattern;
}

bool needs_machine_move(const Opcode& opcode, const std::vector<Operand>& operands) {
  if (opcode.has("b128")) return true;
  for (const Operand& operand : operands)
    if (operand.kind == Operand::Kind::vector) return true;
  return false;
}

}  // namespace assay::emulator::ptx
