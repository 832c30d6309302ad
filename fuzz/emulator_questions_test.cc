#include <algorithm>
#include <string_view>

#include "devices/emulator/tensor/adder_rules.h"
#include "devices/emulator/tensor/tcgen05_readings.h"
#include "devices/emulator/tma/readings.h"
#include "reference/spec/questions.h"

/// The emulated device must not know which questions are open; so its lists are held against the table here,
/// where both are seen, when this file is compiled.
namespace assay::fuzz {
namespace {

using spec::Question;

constexpr bool has_letter(const Question& question, char letter) {
  return std::any_of(question.readings.begin(), question.readings.end(),
                     [&](const spec::Reading& reading) { return reading.letter == letter; });
}

/// Each row names a question of the table, once, and letters that the question has.
template <typename Rows>
constexpr bool are_of_the_table(const Rows& rows) {
  for (const auto& row : rows) {
    const auto question = std::find_if(spec::question_table.begin(), spec::question_table.end(),
                                       [&](const Question& q) { return q.id == row.id; });
    if (question == spec::question_table.end()) return false;
    for (const char letter : row.letters)
      if (!has_letter(*question, letter)) return false;
    if (std::count_if(std::begin(rows), std::end(rows), [&](const auto& r) { return r.id == row.id; }) != 1)
      return false;
  }
  return true;
}
static_assert(are_of_the_table(emulator::device_questions));
static_assert(are_of_the_table(emulator::tcgen05_questions));
static_assert(are_of_the_table(emulator::adder_questions));

template <typename Rows>
constexpr bool has(const Rows& rows, std::string_view id) {
  return std::any_of(std::begin(rows), std::end(rows), [&](const auto& row) { return row.id == id; });
}
constexpr bool is_answered(std::string_view id) {
  return has(emulator::device_questions, id) || has(emulator::tcgen05_questions, id) ||
         has(emulator::adder_questions, id);
}
/// More than one of its readings says what comes out; of a rival that allows anything a device need know
/// nothing.
constexpr bool has_rivals(const Question& question) {
  return std::count_if(question.readings.begin(), question.readings.end(), [](const spec::Reading& reading) {
           return reading.letter != 0 && !reading.words.starts_with("anything");
         }) > 1;
}
/// A question that cases can decide has answers that the device can be asked for.
constexpr bool all_decidable_ones_are_answered() {
  return std::all_of(spec::question_table.begin(), spec::question_table.end(), [](const Question& q) {
    return !q.is_decidable() || !has_rivals(q) || is_answered(q.id);
  });
}
static_assert(all_decidable_ones_are_answered());

}  // namespace
}  // namespace assay::fuzz
