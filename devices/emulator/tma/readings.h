#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "devices/emulator/gpu.h"

namespace assay::emulator {

/// Open questions that this device can answer in more than one way. Ids and letters are those of the fact
/// sheets.
enum class Question : uint8_t {
  amb_04,
  amb_05,
  amb_06,
  amb_07,
  amb_08,
  amb_09,
  amb_10,
  amb_11,
  amb_12,
  amb_15,
  amb_16,
  amb_17,
  amb_18,
  amb_19,
  amb_20,
  amb_22,

  amb_28,
  amb_32,
  amb_33,
  amb_34,
  x_01,
  x_02,
  x_03,
  x_04,
  x_05,
  x_06,
  x_08,
  x_09,
  x_11,
  x_15,
  x_17,
  amb_02,
  amb_03,
  amb_23,
  x_07,
  x_12,
  x_13,
  bulk_01,
  bulk_02,
  bulk_03,
  amb_13,
  amb_14,
  amb_21,
  amb_41,
  amb_42,
  amb_43,
  amb_27,
  repl_01,
  repl_02,
};
inline constexpr size_t question_count = static_cast<size_t>(Question::repl_02) + 1;

/// The answers of one device: those of the H200 where it settled a question, unless the settings say
/// otherwise.
class DeviceReadings {
 public:
  DeviceReadings();
  explicit DeviceReadings(const Settings&);
  bool is(Question question, char letter) const { return letter_[static_cast<size_t>(question)] == letter; }
  char operator[](Question question) const { return letter_[static_cast<size_t>(question)]; }

 private:
  std::array<char, question_count> letter_;
};

/// Empty when the device can take that reading; else a sentence that lists those it can take.
std::string check_reading(std::string_view id, char letter);

}  // namespace assay::emulator
