// SPDX-License-Identifier: Apache-2.0
#include "reports/expectations.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <stdexcept>

#include "reports/text.h"

namespace assay::report {
namespace {

constexpr std::string_view blanks = " \t";
constexpr char no_character = '\0';  // no character of a text that was checked

std::string_view trimmed(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

bool is_in_key(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

/// Text of the file as a sentence quotes it.
std::string shown(std::string_view text) {
  return "'" + shortened_columns(for_terminal(text), 60) + "'";
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  std::vector<WaiverTable> tables() {
    check_characters();
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;  // the byte order mark that some editors write
    while (at_ < text_.size()) {
      skip_blanks();
      if (peek() == '[')
        header();
      else if (peek() != '#' && !is_line_end())
        entry();
      end_line();
    }
    return std::move(tables_);
  }

 private:
  [[noreturn]] void fail(const std::string& what, size_t line) const {
    throw std::runtime_error(name_ + ", line " + std::to_string(line) + ": " + what);
  }
  [[noreturn]] void fail_here(const std::string& what) const {
    if (is_line_end()) fail(what + "; found end of line", line_);
    const bool ascii = static_cast<uint8_t>(peek()) < 0x80;
    fail(what + (ascii ? "; found " : "; found non-ASCII character ") + shown(character()), line_);
  }

  /// UTF-8 without control characters: what is read and quoted later holds neither.
  void check_characters() const {
    const std::string repaired = well_formed(text_);
    const auto end = std::mismatch(text_.begin(), text_.end(), repaired.begin(), repaired.end()).first;
    size_t line = 1;
    for (auto at = text_.begin(); at != end; ++at) {
      const auto c = static_cast<uint8_t>(*at);
      const bool ends_line = c == '\n' || (c == '\r' && at + 1 != end && at[1] == '\n');
      if ((c < 0x20 && c != '\t' && !ends_line) || c == 0x7F) {
        char code[8];
        std::snprintf(code, sizeof code, "0x%02X", c);
        fail(std::string("a control character (") + code + ") is not allowed in a waiver file", line);
      }
      line += c == '\n';
    }
    if (repaired != text_) fail("the waiver file is not valid UTF-8", line);
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : no_character; }
  std::string_view rest() const { return text_.substr(at_); }
  bool is_line_end() const { return peek() == '\n' || peek() == '\r' || peek() == no_character; }

  /// The whole of a letter that has several bytes.
  std::string_view character() const {
    size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<uint8_t>(text_[end]) & 0xC0) == 0x80) ++end;
    return text_.substr(at_, end - at_);
  }

  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }

  void skip_newline() {
    at_ += peek() == '\r';
    if (peek() != '\n') return;
    ++at_;
    ++line_;
  }

  /// Up to a comment or the end of the line.
  std::string_view rest_of_line() {
    const size_t begin = at_;
    at_ = std::min(text_.find_first_of("#\r\n", at_), text_.size());
    return trimmed(text_.substr(begin, at_ - begin));
  }

  void end_line() {
    skip_blanks();
    if (peek() == '#') at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
    if (!is_line_end()) fail_here("only a comment may follow the closing quotes");
    skip_newline();
  }

  void header() {
    const std::string_view all = rest_of_line();
    const bool brackets = all.size() > 4 && all.starts_with("[[") && all.ends_with("]]");
    if (!brackets || trimmed(all.substr(2, all.size() - 4)) != "waiver")
      fail(shown(all) + " is not [[waiver]], the only header of a waiver file", line_);
    tables_.push_back({line_, {}});
    seen_.clear();
  }

  void entry() {
    const size_t begin = at_;
    while (is_in_key(peek())) ++at_;
    const std::string key(text_.substr(begin, at_ - begin));
    if (key.empty()) fail_here("expected [[waiver]], a key such as id, or a comment");
    if (tables_.empty())
      fail(shown(key) + " comes before the first [[waiver]], where only comments are allowed", line_);
    skip_blanks();
    if (peek() != '=') fail_here("expected '=' after " + shown(key));
    ++at_;
    skip_blanks();
    const auto [before, is_new] = seen_.emplace(key, line_);
    if (!is_new)
      fail("this waiver has " + shown(key) + " already, on line " + std::to_string(before->second), line_);
    WaiverEntry made{key, "", peek() == '"' || peek() == '\'', line_};
    made.value = made.quoted ? quoted() : std::string(rest_of_line());
    if (!made.quoted && made.value.empty())
      fail("expected a quoted string or a date such as 2027-01-31 after " + shown(key + " ="), made.line);
    tables_.back().entries.push_back(std::move(made));
  }

  std::string quoted() {
    const char quote = peek();
    const size_t begun = line_;
    const std::string three(3, quote);
    const bool many_lines = rest().starts_with(three);
    const std::string end = many_lines ? three : three.substr(2);
    at_ += end.size();
    if (many_lines) skip_newline();  // right after the quotes it is no part of the text
    std::string text;
    while (!rest().starts_with(end)) {
      if (peek() == no_character || (is_line_end() && !many_lines))
        fail("the string that begins on this line is missing its closing " + end, begun);
      if (is_line_end()) {
        skip_newline();
        text += '\n';
      } else if (peek() == '\\' && quote == '"') {
        escape(text, many_lines);
      } else {
        text += text_[at_++];
      }
    }
    at_ += end.size();
    // Of up to five quotes the last three close the text.
    for (int i = 0; i < 2 && many_lines && peek() == quote; ++i, ++at_) text += quote;
    return text;
  }

  void escape(std::string& text, bool many_lines) {
    constexpr std::string_view letters = "\"\\nt", meanings = "\"\\\n\t";
    ++at_;
    if (const size_t which = letters.find(peek()); which != letters.npos) {
      text += meanings[which];
      ++at_;
      return;
    }
    // At the end of a line it takes the newline away and the blanks before the next word.
    const size_t next = std::min(text_.find_first_not_of(blanks, at_), text_.size());
    if (many_lines && next < text_.size() && (text_[next] == '\r' || text_[next] == '\n')) {
      for (at_ = next; is_line_end() && peek() != no_character; skip_blanks()) skip_newline();
      return;
    }
    fail_here(R"(expected one of " \ n t after '\' in a string of "" (a string of '' takes '\' as it is))");
  }

  std::string_view text_;
  const std::string& name_;
  size_t at_ = 0, line_ = 1;
  std::vector<WaiverTable> tables_;
  std::map<std::string, size_t> seen_;  // keys of the last table, with their lines
};

}  // namespace

std::vector<WaiverTable> parse_waiver_tables(std::string_view text, const std::string& name) {
  return Reader(text, name).tables();
}

}  // namespace assay::report
