#pragma once

#include <string_view>

#include "reference/spec/question.h"

namespace assay::spec {

/// Open questions about tcgen05.mma: its descriptors, layouts and arithmetic. Kept apart from the questions
/// of questions.h, which suites can decide today.
std::span<const Question> mma_questions();
/// Null for an id that no row has.
const Question* find_mma_question(std::string_view id);

}  // namespace assay::spec
