// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/results.h"
#include "reports/words.h"

namespace assay::report {

/// Failure signatures that one thing explains: a rule, the same choice of rules, or, where nothing does, one
/// property.
struct Cause {
  /// "violates TILE-R08 (as if ...)", "one of TILE-R08 (...), ...", "unexplained; exercises ..."; empty where
  /// nothing was sought.
  std::string words;
  std::vector<FailurePlace> places;  ///< in reading order
  uint64_t cases = 0;
  std::vector<std::string> properties;  ///< each once, in reading order
};

/// Of the failures that fail a run: as few items as there are things to mend, the first to read first.
std::vector<Cause> causes_of(const Results&);

}  // namespace assay::report
