// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>
#include <utility>

#include "devices/emulator/readings.h"
#include "reference/spec/questions.h"

/// The emulated device must not know which questions are open; so its list is held against the table here,
/// where both are seen, when this file is compiled.
namespace assay::fuzz {
namespace {

using emulator::open_questions, emulator::unanswered_questions, emulator::OpenQuestion;
using spec::Question, spec::Reading;

/// A device need not be able to do anything at all.
constexpr bool says_anything(const Reading& reading) {
  return reading.words.starts_with("anything");
}

constexpr bool has_answer(const OpenQuestion& row, const Reading& reading) {
  return std::any_of(row.answers.begin(), row.answers.end(), [&](const emulator::Answer& answer) {
    return answer.letter == reading.letter && answer.name == reading.name;
  });
}

constexpr std::string_view wrong_with(const OpenQuestion& row) {
  const auto question = std::find_if(spec::question_table.begin(), spec::question_table.end(),
                                     [&](const Question& q) { return q.id == row.id; });
  if (question == spec::question_table.end()) return "the table has no such question";
  int answers = 0;
  for (const emulator::Answer& answer : row.answers) answers += answer.letter != 0;
  int of_table = 0;
  for (int i = 0; i < question->reading_count(); ++i) {
    const bool is_there = has_answer(row, question->readings[i]);
    if (!is_there && !says_anything(question->readings[i])) return "a reading of the table is no answer";
    of_table += is_there;
  }
  if (answers != of_table) return "an answer is no reading of the table, by letter and name";
  using spec::Arch;
  const char later = row.after_sm_90a == 0 ? row.by_itself : row.after_sm_90a;
  for (const auto& [arch, letter] : {std::pair{Arch::sm_90, row.by_itself}, std::pair{Arch::sm_100, later},
                                     std::pair{Arch::sm_103, later}, std::pair{Arch::sm_120, later}})
    if (question->default_for[static_cast<int>(arch)] != letter) return "by itself the device does another";
  return {};
}

/// The number of the row is what a compiler tells of the one that is wrong.
template <size_t i>
struct Row {
  static_assert(wrong_with(open_questions[i]).empty(), "row i of open_questions is not that of the table");
  static constexpr bool is_right = true;
};
template <size_t... i>
constexpr bool are_right(std::index_sequence<i...>) {
  return (Row<i>::is_right && ...);
}
static_assert(are_right(std::make_index_sequence<emulator::question_count>()));

constexpr auto answered(std::string_view id) {
  return std::count_if(std::begin(open_questions), std::end(open_questions),
                       [&](const OpenQuestion& row) { return row.id == id; });
}
constexpr auto unanswered(std::string_view id) {
  return std::count(std::begin(unanswered_questions), std::end(unanswered_questions), id);
}
static_assert(std::all_of(spec::question_table.begin(), spec::question_table.end(),
                          [](const Question& q) { return answered(q.id) + unanswered(q.id) == 1; }),
              "every question of the table is answered by the device, or named as one that is not, once");
static_assert(std::size(open_questions) + std::size(unanswered_questions) == spec::question_table.size(),
              "the device has no question beside those of the table");

/// More than one of its readings says what comes out.
constexpr bool has_rivals(const Question& question) {
  return std::count_if(question.readings.begin(), question.readings.end(), [](const Reading& reading) {
           return reading.letter != 0 && !says_anything(reading);
         }) > 1;
}
static_assert(std::none_of(spec::question_table.begin(), spec::question_table.end(),
                           [](const Question& q) {
                             return q.is_decidable() && has_rivals(q) && unanswered(q.id) != 0;
                           }),
              "a question that cases can decide has answers that the device can be asked for");

}  // namespace
}  // namespace assay::fuzz
