#include "reference/spec/questions.h"

namespace assay::spec {

Readings::Readings(Arch arch) : arch_(arch) {
  for (size_t i = 0; i < question_table.size(); ++i)
    letter_[i] = default_[i] = default_letter(static_cast<QuestionIndex>(i), arch);
}

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
