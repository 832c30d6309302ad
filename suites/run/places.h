// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference/spec/question.h"
#include "suites/run/property.h"

namespace assay::suites {

/// Where an open question shows: among so many cases of the property, on that target, some tell its readings
/// apart (every_reading_test.cc runs them).
struct DecidingPlace {
  std::string_view question, property, target;
  uint64_t cases;
};
const DecidingPlace& deciding_place(std::string_view question);

/// "Anything may happen" is a reading that no device can show and none can contradict.
bool says_anything(const spec::Reading& reading);

/// Cases of each rival that a question is decided by, where there are so many.
inline constexpr size_t cases_a_rival = 4;

/// A case by which the readings of a question are told apart, as long as the other readings are as they were
/// when it was chosen.
struct DecidingCase {
  spec::QuestionIndex question = 0;
  const Property* property = nullptr;
  uint64_t index = 0;  ///< under seed 1
  Case what;
  /// By one of the readings it faults, never ends, or may end the process that owns the device.
  bool may_end_badly = false;
};

/// Why the architecture has no case for the question, in one sentence; nothing where cases may be found.
std::optional<std::string> never_decided(spec::QuestionIndex question, spec::Arch arch);

/// Cases that tell the reading chosen for a question from each of its others (cases_a_rival of each), the
/// other questions as chosen. Deterministic.
std::vector<DecidingCase> deciding_cases(spec::QuestionIndex question, const spec::Readings& chosen);

/// Whether a device that is as `chosen` says gives another answer to the case than one of that letter.
bool tells_apart(const Family& family, const Case& c, const spec::Readings& chosen,
                 spec::QuestionIndex question, char letter);

}  // namespace assay::suites
