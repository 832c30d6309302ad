// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "suites/scalar/form.h"

namespace assay::suites::scalar {

/// How far two results of an approximate instruction lie apart: in units of the last place, and whether the
/// documented error allows it, given the operands.
struct Distance {
  bool is_allowed = false;
  uint64_t ulps = 0;
};
Distance distance(const gen::scalar::Form& form, const uint64_t* operands, uint64_t left, uint64_t right);

/// The documented error of the form in words.
std::string bound_of(const gen::scalar::Form& form);

}  // namespace assay::suites::scalar
