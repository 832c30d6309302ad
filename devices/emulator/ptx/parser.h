// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "devices/emulator/lane_op.h"

namespace assay::emulator::ptx {

/// Why PTX text cannot be taken; caught once, in Gpu::load.
struct SyntaxError {
  uint32_t line;
  std::string message;
  bool faults_when_run = false;  ///< the text is PTX, and silicon would trap
};

struct Token {
  enum class Kind : uint8_t { word, integer, real, string, punctuation, end };
  Kind kind = Kind::end;
  uint32_t line = 0;
  std::string_view
      text;  ///< word ("ld.shared::cta.b32", ".reg", "%tid.x"), string without quotes, one punctuation mark
  uint64_t bits = 0;      ///< integer; real: pattern of `real_bits` bits
  uint8_t real_bits = 0;  ///< 32 for 0fXXXXXXXX, 64 for 0dX... and decimal reals
  [[gnu::always_inline]] bool is(std::string_view expected) const {
    return (kind == Kind::word || kind == Kind::punctuation) && text.size() == expected.size() &&
           text[0] == expected[0] && (text.size() == 1 || text == expected);
  }
};

/// Splits PTX text. NUL ends the text (modules are padded with it). Tokens refer to the text. Throws
/// SyntaxError.
std::vector<Token> tokenize(std::string_view text);

/// An operand as written.
struct SyntaxOperand {
  enum class Kind : uint8_t { name, integer, real, address, vector, list, sink };
  Kind kind = Kind::sink;
  bool is_negated = false;  ///< !%p
  std::string name;         ///< name; address: base name, or empty for a number
  uint64_t bits = 0;        ///< integer; real: pattern; address with a number as base
  uint8_t real_bits = 0;
  int64_t offset = 0;                ///< name+offset, [name+offset]
  std::vector<SyntaxOperand> items;  ///< vector {...}, list (...), address: what follows the base
};

enum class Space : uint8_t { reg, param, shared, local, global, constant };

/// One element of an initialiser.
struct Initial {
  std::string symbol;     ///< address of a variable, or empty
  uint64_t bits = 0;      ///< number, or offset from the symbol
  uint8_t real_bits = 0;  ///< the number is a real of this width
  uint64_t index = 0;     ///< of the element in the variable
};

/// A declared variable, register range or parameter.
struct Variable {
  Space space = Space::reg;
  std::string name;
  std::string type;            ///< "b8", "u32", "pred", ...
  uint32_t element_bytes = 0;  ///< of the type times the vector length
  uint64_t count = 1;          ///< elements
  uint32_t alignment = 0;      ///< bytes, never 0 after parsing
  bool is_unsized = false;     ///< name[]
  bool is_extern = false;
  bool is_range = false;  ///< %r<count>
  std::vector<Initial> initial;
  uint32_t line = 0;
  uint64_t bytes() const { return element_bytes * count; }
};

struct Statement {
  enum class Kind : uint8_t { instruction, label, open, close, declare, branch_targets, prototype };
  Kind kind = Kind::instruction;
  uint32_t line = 0;
  std::shared_ptr<const Opcode> opcode;  ///< instruction: those that are spelled alike share one
  std::string guard;                     ///< predicate register, or empty
  bool guard_negated = false;
  bool has_second_destination = false;  ///< operands[0]|operands[1]
  std::vector<SyntaxOperand> operands;
  std::string name;                  ///< label, .callprototype, .calltargets
  std::vector<std::string> targets;  ///< branch_targets
  std::vector<Variable> variables;   ///< declare
};

struct FunctionSyntax {
  std::string name;
  bool is_entry = false;
  bool has_body = false;
  uint32_t line = 0;
  std::vector<Variable> params, returns;
  std::vector<Statement> body;
  std::array<uint32_t, 3> max_threads{};       ///< .maxntid, 0 if absent
  std::array<uint32_t, 3> required_threads{};  ///< .reqntid, 0 if absent
  std::array<uint32_t, 3> required_cluster{};  ///< .reqnctapercluster, 0 if absent
  bool is_explicit_cluster = false;            ///< .explicitcluster
  std::string error;                           ///< of a tolerant parser: why the body is not known
  uint32_t error_line = 0;
};

struct ModuleSyntax {
  int version = 0;     ///< 90 for 9.0
  std::string target;  ///< "sm_100a"
  uint32_t target_line = 0, version_line = 0;
  std::vector<Variable> variables;
  std::vector<FunctionSyntax> functions;
};

/// "add.sat.s32" to base and qualifiers.
Opcode make_opcode(std::string_view text);

/// PTX text to syntax. Throws SyntaxError; a tolerant parser notes in a function what is wrong with its body
/// and goes on.
ModuleSyntax parse(std::string_view text, bool is_tolerant = false);

}  // namespace assay::emulator::ptx
