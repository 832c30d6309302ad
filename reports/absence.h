// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace assay::report {

/// A failure signature that came up before and not again.
struct Absence {
  bool is_gone = false;  ///< chance alone would hardly have kept it away
  std::string words;     ///< where it is not: "not seen in 6,000 cases, 1.2 expected"
};

/// `failed` of `of` cases failed in this way then, none of `now` cases does. `same_cases`: those that failed
/// are among the present ones. It is gone if it would stay away by chance in less than one of a hundred
/// nights. `failed` is 0 where nobody counted.
Absence absence(uint64_t failed, uint64_t of, uint64_t now, bool same_cases);

}  // namespace assay::report
