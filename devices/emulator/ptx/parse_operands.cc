// SPDX-License-Identifier: Apache-2.0
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

}  // namespace assay::emulator::ptx
