// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "devices/emulator/machine/program.h"
#include "devices/emulator/ptx/lower.h"

namespace assay::emulator::ptx {

/// What a name stands for.
struct Symbol {
  enum class Kind : uint8_t { reg, local, shared, dynamic_shared, param, address };
  Kind kind = Kind::reg;
  uint16_t bits = 0;      ///< reg: width of its type, 1 for predicates
  bool is_range = false;  ///< reg: a range %r<count>
  uint64_t count = 1;
  uint64_t offset = 0;                             ///< variable: in its block; address: the address
  uint64_t bytes = 0;                              ///< variable
  uint32_t alignment = 1;                          ///< shared
  bool is_placed = true;                           ///< shared: false until its first use at module scope
  std::unordered_map<uint64_t, uint32_t> columns;  ///< reg: number in the range -> column, given on first use
};

/// Nested scopes of one function. Inner names hide outer ones; the same name may appear in sibling scopes.
class Scopes {
 public:
  void open() { levels_.emplace_back(); }
  void close() { levels_.pop_back(); }
  size_t depth() const { return levels_.size(); }
  /// False if the name exists in the innermost scope already, as a name or as one of a range. A range %p<2>
  /// makes the names %p0 and %p1 and not %p, which may stand for something else (ptxas).
  bool declare(const std::string& name, Symbol symbol);
  /// The symbol of a name, or of the range that covers it (then `number` is its index); null if there is
  /// none.
  Symbol* find(std::string_view name, uint64_t& number);

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
  };
  using Names = std::unordered_map<std::string, Symbol, Hash, std::equal_to<>>;
  struct Level {
    Names names, ranges;  ///< ranges by what stands before the number
  };
  std::vector<Level> levels_;
};

/// Rounded up to a multiple of a power of two.
inline uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

/// Labels of a function by scope. Scopes are numbered in the order in which they open; 0 is the function's
/// own.
struct Labels {
  struct Level {
    int parent = -1;
    std::map<std::string, uint32_t, std::less<>> labels;                  ///< -> number of the label
    std::map<std::string, std::vector<std::string>, std::less<>> tables;  ///< .branchtargets
    std::set<std::string, std::less<>> prototypes;                        ///< and lists of call targets
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
  bool has_prototype(int level, std::string_view name) const {
    for (; level >= 0; level = levels[static_cast<size_t>(level)].parent)
      if (levels[static_cast<size_t>(level)].prototypes.contains(name)) return true;
    return false;
  }
  const std::vector<std::string>* find_table(int level, std::string_view name) const {
    for (; level >= 0; level = levels[static_cast<size_t>(level)].parent) {
      const auto& tables = levels[static_cast<size_t>(level)].tables;
      if (const auto found = tables.find(name); found != tables.end()) return &found->second;
    }
    return nullptr;
  }
};

/// What follows from an opcode alone, found out once for all instructions that have it.
struct OpcodeFacts {
  race::MemoryOrder order;
  Lower family = nullptr;
};

/// Where an immediate stands: its type follows from that.
struct ImmediatePlace {
  const Opcode* opcode = nullptr;  ///< null: an argument of a call, of 64 bits
  size_t operand = 0;
  std::string type() const { return opcode == nullptr ? "b64" : immediate_type(*opcode, operand); }
};

/// Lowers one kernel: functions, scopes and variables in lower.cc, operands in lower_operands.cc,
/// instructions in lower_instructions.cc.
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
  void place_shared(Symbol& symbol, const std::string& name);
  void lower_instruction(const Statement& statement);
  void lower_call(const Statement& statement);
  /// The other targets on which the family takes the instruction, with commas.
  std::string targets_that_have(Lower family, const Instruction& instruction) const;
  void lower_arithmetic(const Statement& statement, Instruction& instruction);
  Instruction start(const Statement& statement);
  const OpcodeFacts& facts_of(const Opcode& opcode);
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
  /// Every function whose address the module takes, so that calls through registers find it.
  void lower_addressed_functions();
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
  ImmediatePlace immediate_of_;
  std::unordered_map<const Opcode*, OpcodeFacts> facts_;
};

}  // namespace assay::emulator::ptx
