// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/ptx/parser.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "devices/emulator/ptx/parser_class.h"

namespace assay::emulator::ptx {
namespace {

using Kind = Token::Kind;

bool is_linkage(const Token& token) {
  return token.is(".visible") || token.is(".extern") || token.is(".weak") || token.is(".common") ||
         token.is(".toplevel");
}

}  // namespace

std::array<uint32_t, 3> Parser::three_sizes() {
  std::array<uint32_t, 3> sizes{1, 1, 1};
  for (int i = 0; i < 3; ++i) {
    sizes[static_cast<size_t>(i)] = static_cast<uint32_t>(integer("a size"));
    if (!accept(",")) break;
  }
  return sizes;
}

void Parser::version_and_target(ModuleSyntax& module) {
  if (accept(".version")) {
    module.version_line = peek().line;
    const Token token = take();
    const std::string text(token.text);
    const size_t dot = text.find('.');
    if (token.kind != Kind::real || dot == std::string::npos || text.size() > 8)
      fail(".version takes a number such as 9.0");
    module.version = std::atoi(text.c_str()) * 10 + std::atoi(text.c_str() + dot + 1);
  } else {
    take();
    module.target_line = peek().line;
    module.target = word("an architecture");
    while (accept(",")) word("a target option");
  }
}

void Parser::section() {
  // .section NAME { ... }: debug information, whatever it holds.
  while (!peek().is("{")) {
    if (peek().kind == Kind::end) fail("a .section has no body");
    take();
  }
  int open = 0;
  do {
    if (peek().kind == Kind::end) fail("a .section is not closed");
    if (peek().is("{")) ++open;
    if (peek().is("}")) --open;
    take();
  } while (open > 0);
}

void Parser::top_level(ModuleSyntax& module) {
  const Token& token = peek();
  if (token.is(".version") || token.is(".target")) return version_and_target(module);
  if (accept(".address_size")) {
    const uint32_t line = peek().line;
    if (integer("32 or 64") != 64)
      throw SyntaxError{line, ".address_size 64 is the only one for this target"};
    return;
  }
  if (accept(".file")) {
    while (peek().line == token.line && peek().kind != Kind::end) take();
    return;
  }
  if (accept(".section")) return section();
  if (accept(".pragma")) {
    while (!accept(";")) {
      if (peek().kind == Kind::end) fail("a .pragma is not ended");
      take();
    }
    return;
  }
  if (accept(";")) return;
  bool is_extern = false;
  while (is_linkage(peek())) is_extern |= take().is(".extern");
  if (accept(".entry")) return module.functions.push_back(function(true));
  if (accept(".func")) return module.functions.push_back(function(false));
  if (space() && *space() != Space::reg && *space() != Space::param) {
    for (Variable& variable : declaration(is_extern)) module.variables.push_back(std::move(variable));
    return;
  }
  fail("expected a directive at module scope before " + shown());
}

ModuleSyntax Parser::module() {
  ModuleSyntax module;
  while (peek().kind != Kind::end) top_level(module);
  if (module.version == 0) throw SyntaxError{1, "the module has no .version directive"};
  if (module.target.empty()) throw SyntaxError{1, "the module has no .target directive"};
  return module;
}

void Parser::function_directives(FunctionSyntax& function) {
  for (;;) {
    if (accept(".maxntid"))
      function.max_threads = three_sizes();
    else if (accept(".reqntid"))
      function.required_threads = three_sizes();
    else if (accept(".reqnctapercluster"))
      function.required_cluster = three_sizes();
    else if (accept(".explicitcluster"))
      function.is_explicit_cluster = true;
    else if (accept(".minnctapersm") || accept(".maxnctapersm") || accept(".maxnreg") ||
             accept(".maxclusterrank"))
      integer("a number");
    else if (accept(".noreturn") || accept(".blocksareclusters"))
      continue;
    else if (accept(".pragma")) {
      while (!accept(";")) {
        if (peek().kind == Kind::end) fail("a .pragma is not ended");
        take();
      }
    } else
      return;
  }
}

FunctionSyntax Parser::function(bool is_entry) {
  FunctionSyntax function;
  function.is_entry = is_entry;
  function.line = peek().line;
  if (!is_entry && peek().is("(")) function.returns = parameters();
  if (!is_entry && peek().is(".attribute")) {
    take();
    expect("(");
    while (!accept(")")) {
      if (peek().kind == Kind::end) fail("an .attribute is not closed");
      take();
    }
    if (peek().is("(")) function.returns = parameters();
  }
  function.name = word("a function name");
  if (peek().is("(")) function.params = parameters();
  function_directives(function);
  if (accept(";")) return function;
  if (!peek().is("{")) fail("expected the body of '" + function.name + "' before " + shown());
  function.has_body = true;
  is_tolerant_ ? tolerant_body(function) : body(function);
  return function;
}

/// What the parser does not know costs this function alone: the module goes on behind its last brace.
void Parser::tolerant_body(FunctionSyntax& function) {
  const size_t begin = at_;
  try {
    return body(function);
  } catch (const SyntaxError& error) {
    function.error = error.message;
    function.error_line = error.line;
  }
  function.body.clear();
  at_ = begin;
  depth_ = 0;
  int open = 0;
  do {
    if (peek().kind == Kind::end) throw SyntaxError{function.error_line, function.error};
    if (peek().is("{")) ++open;
    if (peek().is("}")) --open;
    take();
  } while (open > 0);
}

void Parser::body(FunctionSyntax& function) {
  int open = 0;
  do {
    if (peek().kind == Kind::end) fail("the body of '" + function.name + "' is not closed");
    Statement next = statement();
    if (next.kind == Statement::Kind::open && ++open > 200) fail("scopes are nested too deeply");
    if (next.kind == Statement::Kind::close) --open;
    if (next.kind != Statement::Kind::declare || !next.variables.empty())
      function.body.push_back(std::move(next));
  } while (open > 0);
}

Statement Parser::statement() {
  // Most statements are instructions, and all others begin otherwise.
  const Token& first = peek();
  if (first.is("@") || (first.kind == Kind::word && first.text[0] != '.' && !peek(1).is(":")))
    return instruction();
  Statement made;
  made.line = first.line;
  made.kind = Statement::Kind::declare;
  if (accept("{")) {
    made.kind = Statement::Kind::open;
  } else if (accept("}")) {
    made.kind = Statement::Kind::close;
  } else if (peek().is(".loc") || peek().is(".file")) {
    // Up to the end of the line: `.loc 1 2 3, function_name label, inlined_at ...`.
    const uint32_t line = take().line;
    while (peek().line == line && peek().kind != Kind::end) take();
  } else if (accept(".pragma")) {
    while (!accept(";")) {
      if (peek().kind == Kind::end) fail("a .pragma is not ended");
      take();
    }
  } else if (accept(".section")) {
    section();
  } else if (accept(";")) {
    return made;
  } else if (is_linkage(peek())) {
    bool is_extern = false;
    while (is_linkage(peek())) is_extern |= take().is(".extern");
    made.variables = declaration(is_extern);
  } else if (space()) {
    made.variables = declaration(false);
  } else if (peek().kind == Kind::word && peek(1).is(":")) {
    made.kind = Statement::Kind::label;
    made.name = take().text;
    take();
    if (peek().is(".branchtargets")) return branch_targets(made.name);
    if (peek().is(".callprototype") || peek().is(".calltargets")) return prototype(made.name);
  } else {
    return instruction();
  }
  return made;
}

/// What may be called is found out by the call; here only the name matters.
Statement Parser::prototype(std::string name) {
  Statement made;
  made.kind = Statement::Kind::prototype;
  made.line = peek().line;
  made.name = std::move(name);
  if (accept(".calltargets")) {
    do word("a function");
    while (accept(","));
  } else {
    take();
    if (peek().is("(")) parameters();
    if (!accept("_")) word("'_'");
    if (peek().is("(")) parameters();
    while (accept(".noreturn")) continue;
  }
  expect(";");
  return made;
}

Statement Parser::branch_targets(std::string name) {
  Statement made;
  made.kind = Statement::Kind::branch_targets;
  made.line = take().line;
  made.name = std::move(name);
  do made.targets.push_back(word("a label"));
  while (accept(","));
  expect(";");
  return made;
}

Statement Parser::instruction() {
  Statement made;
  made.line = peek().line;
  if (accept("@")) {
    made.guard_negated = accept("!");
    made.guard = word("a predicate");
  }
  if (peek().kind != Kind::word || peek().text[0] == '.' || peek().text[0] == '%')
    fail("expected an instruction before " + shown());
  const std::string_view spelled = take().text;
  std::shared_ptr<const Opcode>& opcode = opcodes_[spelled];
  if (opcode == nullptr) opcode = std::make_shared<const Opcode>(make_opcode(spelled));
  made.opcode = opcode;
  // A blank before a qualifier, as ptxas takes it: TileLang writes "... .L2::cache_hint".
  while (peek().kind == Kind::word && peek().text[0] == '.')
    made.opcode = std::make_shared<const Opcode>(make_opcode(made.opcode->text + std::string(take().text)));
  if (accept(";")) return made;
  for (;;) {
    made.operands.push_back(operand());
    if (made.operands.size() == 1 && accept("|")) {
      made.operands.push_back(operand());
      made.has_second_destination = true;
    }
    if (accept(";")) return made;
    if (!accept(",")) fail("expected ',' or ';' before " + shown());
  }
}

Opcode make_opcode(std::string_view text) {
  Opcode opcode;
  opcode.text = text;
  size_t begin = 0;
  for (bool is_first = true; begin <= text.size(); is_first = false) {
    const size_t dot = std::min(text.find('.', begin), text.size());
    const std::string_view part = text.substr(begin, dot - begin);
    if (is_first)
      opcode.base = part;
    else
      opcode.qualifiers.emplace_back(part);
    begin = dot + 1;
  }
  return opcode;
}

ModuleSyntax parse(std::string_view text, bool is_tolerant) {
  return Parser(text, is_tolerant).module();
}

}  // namespace assay::emulator::ptx
