// SPDX-License-Identifier: Apache-2.0
#include "fuzz/spelled_forms.h"

#include <algorithm>
#include <cctype>

#include "kernels/forms/expand.h"

namespace assay::fuzz {
namespace {

std::string_view place_of(char kind) {
  return kind == 'l' ? "%d" : kind == 'h' ? "%h" : kind == 'd' ? "%e" : "%r";
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Registers that the statement declares itself: `accumulate`, `w`, and a letter with a number, a predicate
/// p, of 64 bits w.
std::string with_own_registers(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == at) {
      out += text[at++];
      continue;
    }
    const std::string_view word = text.substr(at, end - at);
    const char before = at == 0 ? ' ' : text[at - 1];
    const bool is_name = std::string_view(" {[@!").find(before) != std::string_view::npos;
    const bool is_numbered = word.size() > 1 && std::string_view("dgprvw").find(word[0]) != word.npos &&
                             word.find_first_not_of("0123456789", 1) == word.npos;
    if (is_name && (word == "accumulate" || (is_numbered && word[0] == 'p')))
      out += "%p";
    else if (is_name && (is_numbered || word == "w"))
      out += place_of(is_numbered && word[0] == 'w' ? 'l' : 'r');
    else
      out += word;
    at = end;
  }
  return out;
}

/// Of several statements the longest: the one that the others prepare.
std::string_view longest_statement(std::string_view text) {
  std::string_view longest;
  while (!text.empty()) {
    const size_t semicolon = std::min(text.find(';'), text.size() - 1);
    const size_t end = semicolon + 1;
    std::string_view one = text.substr(0, end);
    while (!one.empty() && one.front() == ' ') one.remove_prefix(1);
    if (one.size() > longest.size()) longest = one;
    text.remove_prefix(end);
  }
  return longest;
}

}  // namespace

std::string with_places(const forms::Forms& forms, uint32_t opcode) {
  std::vector<std::string_view> places;
  for (const forms::Operand& operand : forms.operands()) places.push_back(place_of(operand.kind));
  return with_own_registers(longest_statement(forms.spell(opcode, places)));
}

std::span<const std::string> spelled_forms(forms::Targets target) {
  static const auto made = [] {
    std::array<std::vector<std::string>, std::size(forms::target_names)> all;
    for (size_t t = 0; t < all.size(); ++t)
      for (const forms::Forms& forms : forms::all_forms())
        for (uint32_t opcode = 0; opcode < forms.size(); ++opcode)
          if (forms.targets(opcode) & forms::target_names[t].target)
            if (std::string text = with_places(forms, opcode);
                std::count(text.begin(), text.end(), '%') <= 64)
              all[t].push_back(std::move(text));
    return all;
  }();
  for (size_t t = 0; t < made.size(); ++t)
    if (forms::target_names[t].target == target) return made[t];
  return {};
}

}  // namespace assay::fuzz
