#include "devices/emulator/ptx/parser.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace assay::emulator::ptx {
namespace {

using Kind = Token::Kind;

bool is_linkage(const Token& token) {
  return token.is(".visible") || token.is(".extern") || token.is(".weak") || token.is(".common") ||
         token.is(".toplevel");
}

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(tokenize(text)) {}

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
    return peek().kind == Kind::end ? "the end of the text" : "'" + std::string(peek().text) + "'";
  }
  void expect(std::string_view text) {
    if (!accept(text)) fail("expected '" + std::string(text) + "' before " + shown());
  }
  std::string word(const char* what) {
    if (peek().kind != Kind::word) fail(std::string("expected ") + what + " before " + shown());
    return std::string(take().text);
  }
  uint64_t integer(const char* what) {
    if (peek().kind != Kind::integer) fail(std::string("expected ") + what + " before " + shown());
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
  Statement statement();
  Statement branch_targets(std::string name);
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
  size_t at_ = 0;
  int depth_ = 0;
};

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

std::optional<Space> Parser::space() const {
  static constexpr std::pair<const char*, Space> names[] = {
      {".reg", Space::reg},     {".param", Space::param},   {".shared", Space::shared},
      {".local", Space::local}, {".global", Space::global}, {".const", Space::constant}};
  for (const auto& [name, value] : names)
    if (peek().is(name)) return value;
  if (peek().is(".shared::cta")) return Space::shared;
  return std::nullopt;
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
  body(function);
  return function;
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
  Statement made;
  made.line = peek().line;
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
    if (peek().is(".callprototype") || peek().is(".calltargets"))
      fail("indirect calls are not supported by this emulator");
  } else {
    return instruction();
  }
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
  made.opcode = make_opcode(take().text);
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

}  // namespace

uint32_t type_bytes(std::string_view type) {
  static constexpr std::pair<std::string_view, uint32_t> types[] = {
      {"pred", 1}, {"b8", 1},  {"u8", 1},  {"s8", 1},  {"b16", 2},   {"u16", 2},   {"s16", 2},    {"f16", 2},
      {"bf16", 2}, {"b32", 4}, {"u32", 4}, {"s32", 4}, {"f32", 4},   {"f16x2", 4}, {"bf16x2", 4}, {"tf32", 4},
      {"b64", 8},  {"u64", 8}, {"s64", 8}, {"f64", 8}, {"f32x2", 8}, {"b128", 16}};
  for (const auto& [name, bytes] : types)
    if (name == type) return bytes;
  return 0;
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

ModuleSyntax parse(std::string_view text) {
  return Parser(text).module();
}

}  // namespace assay::emulator::ptx
