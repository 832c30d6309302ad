// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "devices/emulator/gpu.h"
#include "devices/emulator/open_questions.h"

namespace assay::emulator {

/// An answer to an open question by its names, as in {"TMA-AMB-10", "bit_7_clear"}. One that this device
/// cannot give does not compile.
class NamedAnswer {
 public:
  consteval NamedAnswer(std::string_view question, std::string_view name) {
    for (size_t i = 0; i < question_count; ++i)
      for (const Answer& answer : open_questions[i].answers)
        if (open_questions[i].id == question && answer.letter != 0 && answer.name == name)
          question_ = static_cast<uint8_t>(i), letter_ = answer.letter;
    if (letter_ == 0) throw "the device has no such answer";
  }
  constexpr size_t question() const { return question_; }  ///< place in open_questions
  constexpr char letter() const { return letter_; }

 private:
  uint8_t question_ = 0;
  char letter_ = 0;
};
static_assert(question_count < 256);

/// The answers of one device: its own, unless the settings say otherwise.
class DeviceReadings {
 public:
  DeviceReadings();  ///< those of sm_90a by itself
  explicit DeviceReadings(const Settings&);
  bool is(NamedAnswer answer) const { return letter_[answer.question()] == answer.letter(); }
  DeviceReadings& choose(NamedAnswer answer) {
    letter_[answer.question()] = answer.letter();
    return *this;
  }

 private:
  std::array<char, question_count> letter_;
};

/// Empty when the device can take that reading; else a sentence that lists those it can take.
std::string check_reading(std::string_view id, char letter);

}  // namespace assay::emulator
