#include "devices/emulator/tma/readings.h"

#include "devices/emulator/tensor/adder_rules.h"
#include "devices/emulator/tensor/tcgen05_readings.h"

namespace assay::emulator {
DeviceReadings::DeviceReadings() {
  for (size_t i = 0; i < question_count; ++i) letter_[i] = device_questions[i].device;
}

DeviceReadings::DeviceReadings(const Settings& settings) : DeviceReadings() {
  // The wide encoder is of these architectures: there it does what is written of it.
  if (settings.target != Target::sm_90a) letter_[static_cast<size_t>(Question::x_13)] = 'A';
  for (const auto& [id, letter] : settings.readings)
    for (size_t i = 0; i < question_count; ++i)
      if (device_questions[i].id == id) letter_[i] = letter;
}

std::string check_reading(std::string_view id, char letter) {
  std::string ids;
  std::string_view letters;
  const auto look_at = [&](std::string_view row_id, std::string_view row_letters) {
    ids += (ids.empty() ? "" : ", ") + std::string(row_id);
    if (row_id == id) letters = row_letters;
  };
  for (const DeviceQuestion& row : device_questions) look_at(row.id, row.letters);
  for (const Tcgen05Question& row : tcgen05_questions) look_at(row.id, row.letters);
  for (const AdderQuestion& row : adder_questions) look_at(row.id, row.letters);
  if (letters.find(letter) != std::string_view::npos) return {};
  if (!letters.empty())
    return "reading " + std::string(id) + " has no letter '" + std::string(1, letter) + "'; it has " +
           std::string(letters);
  return "no open question '" + std::string(id) + "' is known to this device; those known are " + ids;
}

}  // namespace assay::emulator
