// SPDX-License-Identifier: Apache-2.0
#include "reports/absence.h"

#include <cmath>
#include <cstdio>

#include "reports/text.h"

namespace assay::report {

Absence absence(uint64_t failed, uint64_t of, uint64_t now, bool same_cases) {
  if (same_cases) return {true, {}};
  const std::string seen = "not seen in " + grouped(now, ",") + (now == 1 ? " case" : " cases");
  if (failed == 0 || of == 0) return {false, seen};
  const double expected = static_cast<double>(failed) / static_cast<double>(of) * static_cast<double>(now);
  // Of independent cases none fails with probability e^-expected.
  if (std::exp(-expected) < 0.01) return {true, {}};
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.2g", expected);
  return {false, seen + ", " + digits + " expected"};
}

}  // namespace assay::report
