// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/questions.h"

namespace assay::spec {

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
