// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "devices/emulator/ptx/parser_class.h"

namespace assay::emulator::ptx {

using Kind = Token::Kind;

int64_t Parser::offset() {
  int64_t total = 0;
  while (peek().is("+") || peek().is("-")) {
    bool is_negative = take().is("-");
    while (peek().is("-")) {
      take();
      is_negative = !is_negative;
    }
    const int64_t value = static_cast<int64_t>(integer("an offset"));
    total = static_cast<int64_t>(static_cast<uint64_t>(total) +
                                 static_cast<uint64_t>(is_negative ? -value : value));
  }
  return total;
}

std::vector<SyntaxOperand> Parser::items(std::string_view close) {
  std::vector<SyntaxOperand> made;
  if (accept(close)) return made;
  if (++depth_ > 16) fail("operands are nested too deeply");
  for (;;) {
    made.push_back(operand());
    if (accept(close)) break;
    if (!accept(",")) fail("expected ',' or '" + std::string(close) + "' before " + shown());
  }
  --depth_;
  return made;
}

SyntaxOperand Parser::address() {
  SyntaxOperand made;
  made.kind = SyntaxOperand::Kind::address;
  if (peek().kind == Kind::word) {
    made.name = take().text;
  } else if (peek().is("-") || peek().is("+")) {
    // [-8]
  } else {
    made.bits = integer("an address");
  }
  made.offset = offset();
  if (accept(",")) {
    made.items = items("]");
    return made;
  }
  expect("]");
  return made;
}

SyntaxOperand Parser::operand() {
  SyntaxOperand made;
  while (accept("!")) made.is_negated = !made.is_negated;
  if (!made.is_negated && accept("[")) return address();
  if (accept("{")) {
    made.kind = SyntaxOperand::Kind::vector;
    made.items = items("}");
    return made;
  }
  if (accept("(")) {
    made.kind = SyntaxOperand::Kind::list;
    made.items = items(")");
    return made;
  }
  bool is_negative = false;
  while (peek().is("-") || peek().is("+")) is_negative ^= take().is("-");
  const Token& token = take();
  if (token.kind == Kind::integer) {
    made.kind = SyntaxOperand::Kind::integer;
    made.bits = is_negative ? 0 - token.bits : token.bits;
  } else if (token.kind == Kind::real) {
    made.kind = SyntaxOperand::Kind::real;
    made.real_bits = token.real_bits;
    made.bits = token.bits ^ (is_negative ? 1ull << (token.real_bits - 1) : 0);
  } else if (token.kind == Kind::word && !is_negative && token.text[0] != '.') {
    if (token.is("_")) return made;
    made.kind = SyntaxOperand::Kind::name;
    made.name = token.text;
    made.offset = offset();
  } else {
    throw SyntaxError{token.line, "'" + std::string(token.text) + "' is not an operand"};
  }
  return made;
}

using Kind = Token::Kind;

std::optional<Space> Parser::space() const {
  static constexpr std::pair<const char*, Space> names[] = {
      {".reg", Space::reg},     {".param", Space::param},   {".shared", Space::shared},
      {".local", Space::local}, {".global", Space::global}, {".const", Space::constant}};
  for (const auto& [name, value] : names)
    if (peek().is(name)) return value;
  if (peek().is(".shared::cta")) return Space::shared;
  return std::nullopt;
}

std::vector<Variable> Parser::parameters() {
  std::vector<Variable> params;
  expect("(");
  while (!accept(")")) {
    if (!space() || (*space() != Space::param && *space() != Space::reg))
      fail("expected a parameter before " + shown());
    Variable pattern;
    pattern.space = *space();
    take();
    for (;;) {
      if (accept(".align")) {
        pattern.alignment = static_cast<uint32_t>(integer("an alignment"));
      } else if (accept(".ptr") || accept(".global") || accept(".const") || accept(".shared") ||
                 accept(".local")) {
        // What a pointer parameter points to changes nothing here.
      } else if (peek().kind == Kind::word && type_bytes(peek().text.substr(1)) != 0 &&
                 peek().text[0] == '.' && pattern.type.empty()) {
        pattern.type = take().text.substr(1);
        pattern.element_bytes = type_bytes(pattern.type);
        // `.param .u64 .ptr .align 8 name`: the alignment is the pointee's.
        if (accept(".ptr")) {
          while (space()) take();
          if (accept(".align")) integer("an alignment");
        }
      } else {
        break;
      }
    }
    if (pattern.type.empty()) fail("a parameter has no type");
    params.push_back(declarator(pattern));
    if (!accept(",") && !peek().is(")")) fail("expected ',' or ')' before " + shown());
  }
  return params;
}

std::vector<Variable> Parser::declaration(bool is_extern) {
  Variable pattern;
  pattern.is_extern = is_extern;
  pattern.space = *space();
  take();
  uint32_t vector_length = 1;
  while (peek().kind == Kind::word && peek().text[0] == '.') {
    if (accept(".align")) {
      pattern.alignment = static_cast<uint32_t>(integer("an alignment"));
    } else if (accept(".v2")) {
      vector_length = 2;
    } else if (accept(".v4")) {
      vector_length = 4;
    } else if (accept(".attribute")) {
      expect("(");
      while (!accept(")")) {
        if (peek().kind == Kind::end) fail("an .attribute is not closed");
        take();
      }
    } else {
      if (!pattern.type.empty()) break;
      pattern.type = take().text.substr(1);
      if (type_bytes(pattern.type) == 0) fail("'." + pattern.type + "' is not a type");
    }
  }
  if (pattern.type.empty()) fail("a declaration has no type");
  if (vector_length != 1 && pattern.space == Space::reg)
    fail("vector registers are not supported by this emulator");
  pattern.element_bytes = type_bytes(pattern.type) * vector_length;
  std::vector<Variable> made;
  do made.push_back(declarator(pattern));
  while (accept(","));
  expect(";");
  return made;
}

Variable Parser::declarator(const Variable& pattern) {
  Variable made = pattern;
  made.line = peek().line;
  made.name = word("a name");
  if (made.alignment == 0) made.alignment = made.element_bytes;
  if ((made.alignment & (made.alignment - 1)) != 0 || made.alignment > 4096)
    fail("an alignment must be a power of two, at most 4096");
  if (accept("<")) {
    made.is_range = true;
    made.count = integer("the number of registers");
    expect(">");
    if (made.space != Space::reg) fail("only registers are declared in ranges");
  }
  while (accept("[")) {
    if (accept("]")) {
      made.is_unsized = true;
      made.count = 0;
      continue;
    }
    const uint64_t dimension = integer("an array size");
    expect("]");
    if (dimension > (1ull << 32) || (dimension != 0 && made.count > (1ull << 32) / dimension))
      fail("the array '" + made.name + "' is too large");
    made.count *= dimension;
  }
  if (accept("=")) initialiser(made);
  return made;
}

Initial Parser::initial_element() {
  Initial element;
  // Strings are long rows of numbers.
  if (peek().kind == Token::Kind::integer) {
    element.bits = take().bits;
    return element;
  }
  // generic(name): the address of a variable as a generic address, which is the same number here.
  const bool is_generic = peek().is("generic") && peek(1).is("(");
  if (is_generic) {
    take();
    take();
  }
  const SyntaxOperand value = operand();
  if (is_generic) expect(")");
  if (value.kind == SyntaxOperand::Kind::name) {
    element.symbol = value.name;
    element.bits = static_cast<uint64_t>(value.offset + (is_generic ? offset() : 0));
  } else if (value.kind == SyntaxOperand::Kind::integer || value.kind == SyntaxOperand::Kind::real) {
    element.bits = value.bits;
    element.real_bits = value.real_bits;
  } else {
    fail("an initialiser takes numbers and names");
  }
  return element;
}

void Parser::initial_elements(Variable& variable, uint64_t& index) {
  if (++depth_ > 16) fail("initialisers are nested too deeply");
  do {
    if (accept("{")) {
      if (!peek().is("}")) initial_elements(variable, index);
      expect("}");
      continue;
    }
    variable.initial.push_back(initial_element());
    variable.initial.back().index = index++;
  } while (accept(","));
  --depth_;
}

void Parser::initialiser(Variable& variable) {
  uint64_t index = 0;
  if (accept("{")) {
    if (!peek().is("}")) initial_elements(variable, index);
    expect("}");
  } else {
    variable.initial.push_back(initial_element());
    index = 1;
  }
  if (variable.is_unsized) {
    variable.is_unsized = false;
    variable.count = index;
  }
  const uint64_t scalars = variable.bytes() / std::max<uint32_t>(1, type_bytes(variable.type));
  if (index > scalars) fail("'" + variable.name + "' has more initial values than elements");
}

}  // namespace assay::emulator::ptx
