// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "reference/spec/question.h"

namespace assay::suites {

/// Where an open question shows: among so many cases of the property, on that target, some tell its readings
/// apart (rivals_test.cc runs them).
struct DecidingPlace {
  std::string_view question, property, target;
  uint64_t cases;
};
const DecidingPlace& deciding_place(std::string_view question);

/// "Anything may happen" is a reading that no device can show and none can contradict.
bool says_anything(const spec::Reading& reading);

}  // namespace assay::suites
