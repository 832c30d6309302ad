// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/ptx/parser.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>

namespace assay::emulator::ptx {
namespace {

/// What a character may be, a bit each: modules have a hundred kilobytes and more of them.
enum CharacterClass : uint8_t { starts = 1, continues = 2, blank = 4, mark = 8 };
constexpr std::array<uint8_t, 256> classes = [] {
  std::array<uint8_t, 256> made{};
  const auto add = [&](std::string_view characters, uint8_t bits) {
    for (const char c : characters) made[static_cast<unsigned char>(c)] |= bits;
  };
  add("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$%.", starts | continues);
  add("0123456789", continues);
  add(" \t\n\v\f\r", blank);
  add("{}[]()<>,;:|+-*!=@~&^/?", mark);
  return made;
}();
bool is(char c, CharacterClass which) {
  return (classes[static_cast<unsigned char>(c)] & which) != 0;
}
bool continues_word(char c) {
  return is(c, continues);
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text.substr(0, text.find('\0'))) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    tokens.reserve(text_.size() / 4);
    do {
      skip_blanks();
      tokens.push_back(next());
    } while (tokens.back().kind != Token::Kind::end);
    return tokens;
  }

 private:
  char at(size_t offset = 0) const { return at_ + offset < text_.size() ? text_[at_ + offset] : '\0'; }

  void skip_blanks() {
    for (;;) {
      const char c = at();
      if (c == '\n') ++line_;
      if (is(c, blank)) {
        ++at_;
      } else if (c == '/' && at(1) == '/') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '/' && at(1) == '*') {
        const uint32_t opened = line_;
        for (at_ += 2; !(at() == '*' && at(1) == '/'); ++at_) {
          if (at_ >= text_.size()) throw SyntaxError{opened, "a comment is not closed"};
          if (at() == '\n') ++line_;
        }
        at_ += 2;
      } else {
        return;
      }
    }
  }

  Token make(Token::Kind kind, size_t begin) const {
    Token token;
    token.kind = kind;
    token.line = line_;
    token.text = text_.substr(begin, at_ - begin);
    return token;
  }

  Token next() {
    const size_t begin = at_;
    if (at_ >= text_.size()) return make(Token::Kind::end, begin);
    const char c = at();
    if (std::isdigit(static_cast<unsigned char>(c))) return number();
    // A word keeps its dots and its "::" so that an opcode is one token; a lone ':' ends a label. Directives
    // need no blank between them: ".reg.b16" is two words.
    if (is(c, starts)) {
      for (++at_;;) {
        if (c == '.' && at() == '.') break;
        if (continues_word(at()))
          ++at_;
        else if (at() == ':' && at(1) == ':' && continues_word(at(2)))
          at_ += 2;
        else
          break;
      }
      return make(Token::Kind::word, begin);
    }
    if (c == '"') {
      for (++at_; at() != '"'; ++at_)
        if (at_ >= text_.size() || at() == '\n') throw SyntaxError{line_, "a string is not closed"};
      ++at_;
      Token token = make(Token::Kind::string, begin);
      token.text = token.text.substr(1, token.text.size() - 2);
      return token;
    }
    if (is(c, mark)) {
      ++at_;
      return make(Token::Kind::punctuation, begin);
    }
    throw SyntaxError{line_, std::string("the character '") + c + "' does not belong in PTX"};
  }

  Token number() {
    const size_t begin = at_;
    const char marker = at(1);
    if (at() == '0' && (marker == 'f' || marker == 'F' || marker == 'd' || marker == 'D')) {
      at_ += 2;
      uint64_t bits = 0;
      const size_t digits_begin = at_;
      for (; std::isxdigit(static_cast<unsigned char>(at())); ++at_) bits = bits << 4 | digit(at());
      const bool is_single = marker == 'f' || marker == 'F';
      if (at_ - digits_begin != (is_single ? 8u : 16u))
        throw SyntaxError{line_, is_single ? "a 0f constant takes 8 hexadecimal digits"
                                           : "a 0d constant takes 16 hexadecimal digits"};
      Token token = make(Token::Kind::real, begin);
      token.bits = bits;
      token.real_bits = is_single ? 32 : 64;
      return token;
    }
    const bool is_hex = at() == '0' && (marker == 'x' || marker == 'X');
    const bool is_binary = at() == '0' && (marker == 'b' || marker == 'B');
    if (!is_hex && !is_binary) {
      size_t end = at_;
      while (end < text_.size() && std::isdigit(static_cast<unsigned char>(text_[end]))) ++end;
      const char after = end < text_.size() ? text_[end] : '\0';
      if (after == '.' || after == 'e' || after == 'E') return real();
    }
    const uint64_t base = is_hex ? 16 : is_binary ? 2 : at() == '0' ? 8 : 10;
    if (is_hex || is_binary) at_ += 2;
    uint64_t bits = 0;
    const size_t digits_begin = at_;
    for (; std::isxdigit(static_cast<unsigned char>(at())); ++at_) {
      const uint64_t value = digit(at());
      if (value >= base) throw SyntaxError{line_, "a digit does not fit the base of its number"};
      bits = bits * base + value;
    }
    if (at_ == digits_begin) throw SyntaxError{line_, "a number has no digits"};
    if (at() == 'U') ++at_;
    if (continues_word(at())) throw SyntaxError{line_, "a number runs into a name"};
    Token token = make(Token::Kind::integer, begin);
    token.bits = bits;
    return token;
  }

  Token real() {
    const size_t begin = at_;
    while (std::isdigit(static_cast<unsigned char>(at()))) ++at_;
    if (at() == '.') ++at_;
    while (std::isdigit(static_cast<unsigned char>(at()))) ++at_;
    if (at() == 'e' || at() == 'E') {
      ++at_;
      if (at() == '+' || at() == '-') ++at_;
      while (std::isdigit(static_cast<unsigned char>(at()))) ++at_;
    }
    Token token = make(Token::Kind::real, begin);
    const double value = std::strtod(std::string(token.text).c_str(), nullptr);
    std::memcpy(&token.bits, &value, sizeof value);
    token.real_bits = 64;
    return token;
  }

  static uint64_t digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<uint64_t>(c - '0');
    return static_cast<uint64_t>((c | 0x20) - 'a' + 10);
  }

  std::string_view text_;
  size_t at_ = 0;
  uint32_t line_ = 1;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text) {
  return Lexer(text).run();
}

}  // namespace assay::emulator::ptx
