// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/readings.h"

namespace assay::emulator {
namespace {

constexpr std::array<char, question_count> letters_by_itself(bool is_sm_90a) {
  std::array<char, question_count> letters{};
  for (size_t i = 0; i < question_count; ++i) {
    const OpenQuestion& row = open_questions[i];
    letters[i] = is_sm_90a || row.after_sm_90a == 0 ? row.by_itself : row.after_sm_90a;
  }
  return letters;
}
constexpr std::array<char, question_count> on_sm_90a = letters_by_itself(true),
                                           on_later = letters_by_itself(false);

}  // namespace

DeviceReadings::DeviceReadings() : letter_(on_sm_90a) {}

DeviceReadings::DeviceReadings(const Settings& settings)
    : letter_(is_from_sm_100(settings.target) ? on_later : on_sm_90a) {
  for (const auto& [id, letter] : settings.readings)
    for (size_t i = 0; i < question_count; ++i)
      if (open_questions[i].id == id) letter_[i] = letter;
}

std::string check_reading(std::string_view id, char letter) {
  std::string ids, letters;
  for (const OpenQuestion& row : open_questions) {
    ids += (ids.empty() ? "" : ", ") + std::string(row.id);
    if (row.id != id) continue;
    for (const Answer& answer : row.answers)
      if (answer.letter != 0) letters += answer.letter;
  }
  if (letters.find(letter) != std::string::npos) return {};
  if (!letters.empty())
    return "reading " + std::string(id) + " has no letter '" + std::string(1, letter) + "'; it has " +
           letters;
  return "no open question '" + std::string(id) + "' is known to this device; those known are " + ids;
}

}  // namespace assay::emulator
