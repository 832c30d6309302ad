// SPDX-License-Identifier: Apache-2.0
#include "suites/failure/unused_functions.h"

#include <cctype>
#include <map>
#include <string_view>
#include <vector>

namespace assay::suites {
namespace {

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return lines;
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Counts the identifiers of a line, but for those of a comment.
template <typename Count>
void for_words(std::string_view line, Count count) {
  line = line.substr(0, line.find("//"));
  for (size_t i = 0; i < line.size();) {
    size_t end = i;
    while (end < line.size() && is_word(line[end])) ++end;
    if (end > i) count(line.substr(i, end - i));
    i = end == i ? i + 1 : end;
  }
}

/// Lines [first, end) of a function, and its name.
struct Function {
  size_t first, end;
  std::string_view name;
};

std::vector<Function> functions_of(const Lines& lines) {
  std::vector<Function> functions;
  for (size_t i = 0; i < lines.size(); ++i) {
    constexpr std::string_view begins = "__device__ inline ";
    if (!lines[i].starts_with(begins)) continue;
    const size_t bracket = lines[i].find('(');
    if (bracket == std::string_view::npos) continue;
    size_t at = bracket;
    while (at > 0 && is_word(lines[i][at - 1])) --at;
    size_t end = i + 1;
    while (end < lines.size() && lines[end] != "}") ++end;
    if (end == lines.size()) continue;
    size_t first = i;
    if (first > 0 && lines[first - 1].starts_with("template ")) --first;
    while (first > 0 && lines[first - 1].starts_with("///")) --first;
    functions.push_back({first, end + 1, lines[i].substr(at, bracket - at)});
  }
  return functions;
}

}  // namespace

std::string without_unused_functions(const std::string& source) {
  const Lines lines = lines_of(source);
  const std::vector<Function> functions = functions_of(lines);
  std::map<std::string_view, int> named;
  for (const std::string_view line : lines) for_words(line, [&](std::string_view word) { ++named[word]; });
  // Overloads keep each other: what counts is a name that only bodies of its own functions say.
  std::map<std::string_view, int> own;
  const auto count_own = [&](const Function& f) {
    for (size_t i = f.first; i < f.end; ++i)
      for_words(lines[i], [&](std::string_view word) { own[f.name] += word == f.name ? 1 : 0; });
  };
  for (const Function& f : functions) count_own(f);
  std::vector<bool> is_dropped(functions.size());
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (size_t n = 0; n < functions.size(); ++n) {
      const Function& f = functions[n];
      if (is_dropped[n] || named[f.name] > own[f.name]) continue;
      is_dropped[n] = goes_on = true;
      for (size_t i = f.first; i < f.end; ++i)
        for_words(lines[i], [&](std::string_view word) {
          --named[word];
          if (word == f.name) --own[f.name];
        });
    }
  }
  std::string kept;
  size_t next = 0, blanks = 1;
  for (size_t i = 0; i < lines.size(); ++i) {
    while (next < functions.size() && (functions[next].end <= i || !is_dropped[next])) ++next;
    if (next < functions.size() && functions[next].first <= i) continue;
    blanks = lines[i].empty() ? blanks + 1 : 0;
    if (blanks <= 1) kept += std::string(lines[i]) + "\n";
  }
  return kept;
}

}  // namespace assay::suites
