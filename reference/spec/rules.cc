// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/rules.h"

#include <unordered_map>

#include "reference/spec/questions.h"

namespace assay::spec {

std::span<const Rule> rules() {
  return rule_table;
}

std::optional<RuleIndex> find_rule(std::string_view id) {
  // Every process asks for those of each property as it starts.
  static const auto indices = [] {
    std::unordered_map<std::string_view, RuleIndex> made;
    for (size_t i = 0; i < rule_table.size(); ++i) made.emplace(rule_table[i].id, static_cast<RuleIndex>(i));
    return made;
  }();
  const auto found = indices.find(id);
  return found == indices.end() ? std::nullopt : std::optional(found->second);
}

namespace {

using Letters = std::array<char, max_questions>;
constexpr auto default_letters = [] {
  std::array<Letters, arch_count> all{};
  for (size_t arch = 0; arch < all.size(); ++arch)
    for (size_t i = 0; i < question_table.size(); ++i)
      all[arch][i] = default_letter(static_cast<QuestionIndex>(i), static_cast<Arch>(arch));
  return all;
}();

}  // namespace

Readings::Readings(Arch arch)
    : arch_(arch),
      letter_(default_letters[static_cast<size_t>(arch)]),
      default_(default_letters[static_cast<size_t>(arch)]) {}

std::span<const Question> questions() {
  return question_table;
}

std::optional<QuestionIndex> find_question(std::string_view id) {
  if (id.empty()) return std::nullopt;
  for (size_t i = 0; i < question_table.size(); ++i)
    if (question_table[i].id == id || question_table[i].also == id) return static_cast<QuestionIndex>(i);
  return std::nullopt;
}

}  // namespace assay::spec
