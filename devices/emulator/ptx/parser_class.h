// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "devices/emulator/ptx/parser.h"

namespace assay::emulator::ptx {

/// Recursive descent over the tokens of a module: modules, functions and statements in parser.cc,
/// declarations and operands in parse_parts.cc. Throws SyntaxError.
class Parser {
 public:
  explicit Parser(std::string_view text, bool is_tolerant = false)
      : tokens_(tokenize(text)), is_tolerant_(is_tolerant) {}

  ModuleSyntax module();

 private:
  const Token& peek(size_t ahead = 0) const {
    return tokens_[at_ + ahead < tokens_.size() ? at_ + ahead : tokens_.size() - 1];
  }
  const Token& take() {
    const Token& token = peek();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool accept(std::string_view text) {
    if (!peek().is(text)) return false;
    take();
    return true;
  }
  [[noreturn]] void fail(std::string message) const { throw SyntaxError{peek().line, std::move(message)}; }
  std::string shown() const {
    return peek().kind == Token::Kind::end ? "the end of the text" : "'" + std::string(peek().text) + "'";
  }
  void expect(std::string_view text) {
    if (!accept(text)) fail("expected '" + std::string(text) + "' before " + shown());
  }
  std::string word(const char* what) {
    if (peek().kind != Token::Kind::word) fail(std::string("expected ") + what + " before " + shown());
    return std::string(take().text);
  }
  uint64_t integer(const char* what) {
    if (peek().kind != Token::Kind::integer) fail(std::string("expected ") + what + " before " + shown());
    return take().bits;
  }
  std::array<uint32_t, 3> three_sizes();

  void top_level(ModuleSyntax& module);
  void section();
  void version_and_target(ModuleSyntax& module);
  FunctionSyntax function(bool is_entry);
  void function_directives(FunctionSyntax& function);
  std::vector<Variable> parameters();
  void body(FunctionSyntax& function);
  void tolerant_body(FunctionSyntax& function);
  Statement statement();
  Statement branch_targets(std::string name);
  Statement prototype(std::string name);
  Statement instruction();
  std::vector<Variable> declaration(bool is_extern);
  Variable declarator(const Variable& pattern);
  void initialiser(Variable& variable);
  Initial initial_element();
  void initial_elements(Variable& variable, uint64_t& index);
  std::optional<Space> space() const;
  SyntaxOperand operand();
  SyntaxOperand address();
  std::vector<SyntaxOperand> items(std::string_view close);
  int64_t offset();

  std::vector<Token> tokens_;
  std::unordered_map<std::string_view, std::shared_ptr<const Opcode>> opcodes_;  ///< by their text
  size_t at_ = 0;
  int depth_ = 0;
  const bool is_tolerant_ = false;
};

}  // namespace assay::emulator::ptx
