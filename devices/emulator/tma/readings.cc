#include "devices/emulator/tma/readings.h"

#include "devices/emulator/tensor/adder_rules.h"
#include "devices/emulator/tensor/tcgen05_readings.h"

namespace assay::emulator {
namespace {

struct Row {
  std::string_view id;
  char device;               ///< what this device does by itself
  std::string_view letters;  ///< what it can do
};

/// In the order of Question. The device's own letters are what the H200 did; AMB-10, 11, 13 to 15, 21, 33,
/// 34 and 41 to 43 no silicon has settled.
constexpr std::array<Row, question_count> rows{{
    {"TMA-AMB-04", 'P', "PBC"},  {"TMA-AMB-05", 'P', "PBC"}, {"TMA-AMB-06", 'P', "PB"},
    {"TMA-AMB-07", 'A', "ABCD"}, {"TMA-AMB-08", 'P', "PB"},  {"TMA-AMB-09", 'A', "AB"},
    {"TMA-AMB-10", 'P', "PB"},   {"TMA-AMB-11", 'A', "AB"},  {"TMA-AMB-12", 'P', "PBC"},
    {"TMA-AMB-15", 'A', "AB"},   {"TMA-AMB-16", 'B', "AB"},  {"TMA-AMB-17", 'A', "AB"},
    {"TMA-AMB-18", 'P', "PB"},   {"TMA-AMB-19", 'B', "AB"},  {"TMA-AMB-20", 'A', "AB"},
    {"TMA-AMB-22", 'A', "AB"},   {"TMA-AMB-28", 'P', "PB"},  {"TMA-AMB-32", 'P', "PB"},
    {"TMA-AMB-33", 'P', "PB"},   {"TMA-AMB-34", 'P', "PB"},  {"X-01", 'B', "AB"},
    {"X-02", 'B', "AB"},         {"X-03", 'B', "AB"},        {"X-04", 'B', "AB"},
    {"X-05", 'B', "AB"},         {"X-06", 'B', "AB"},        {"X-08", 'B', "AB"},
    {"X-09", 'B', "AB"},         {"X-11", 'B', "AB"},        {"X-15", 'B', "AB"},
    {"X-17", 'B', "AB"},         {"TMA-AMB-02", 'P', "PB"},  {"TMA-AMB-03", 'B', "PB"},
    {"TMA-AMB-23", 'P', "PB"},   {"X-07", 'B', "AB"},        {"X-12", 'B', "AB"},
    {"X-13", 'B', "AB"},         {"BULK-AMB-01", 'A', "AB"}, {"BULK-AMB-02", 'A', "AB"},
    {"BULK-AMB-03", 'A', "AB"},  {"TMA-AMB-13", 'A', "AB"},  {"TMA-AMB-14", 'P', "PB"},
    {"TMA-AMB-21", 'P', "PB"},   {"TMA-AMB-41", 'A', "AB"},  {"TMA-AMB-42", 'A', "AB"},
    {"TMA-AMB-43", 'A', "AB"},   {"TMA-AMB-27", 'P', "PB"},  {"REPL-AMB-01", 'A', "AB"},
    {"REPL-AMB-02", 'A', "AB"},
}};

}  // namespace

DeviceReadings::DeviceReadings() {
  for (size_t i = 0; i < rows.size(); ++i) letter_[i] = rows[i].device;
}

DeviceReadings::DeviceReadings(const Settings& settings) : DeviceReadings() {
  // The wide encoder is of these architectures: there it does what is written of it.
  if (settings.target != Target::sm_90a) letter_[static_cast<size_t>(Question::x_13)] = 'A';
  for (const auto& [id, letter] : settings.readings)
    for (size_t i = 0; i < rows.size(); ++i)
      if (rows[i].id == id) letter_[i] = letter;
}

std::string check_reading(std::string_view id, char letter) {
  std::string ids;
  std::string_view letters;
  const auto look_at = [&](std::string_view row_id, std::string_view row_letters) {
    ids += (ids.empty() ? "" : ", ") + std::string(row_id);
    if (row_id == id) letters = row_letters;
  };
  for (const Row& row : rows) look_at(row.id, row.letters);
  for (const Tcgen05Question& row : tcgen05_questions()) look_at(row.id, row.letters);
  for (const AdderQuestion& row : adder_questions) look_at(row.id, row.letters);
  if (letters.find(letter) != std::string_view::npos) return {};
  if (!letters.empty())
    return "reading " + std::string(id) + " has no letter '" + std::string(1, letter) + "'; it has " +
           std::string(letters);
  return "no open question '" + std::string(id) + "' is known to this device; those known are " + ids;
}

}  // namespace assay::emulator
