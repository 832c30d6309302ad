// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/causes.h"
#include "reports/results.h"

/// What a results file adds up to, for whoever has a minute: every report takes these numbers from here, so
/// that no two of them differ.
namespace assay::report {

/// Cases with a verdict from a device.
uint64_t cases_of(const DeviceResult&);
uint64_t cases_of(const Results&);

/// Coverage cells of properties that ran.
struct CoverageSum {
  uint64_t hit = 0, reachable = 0;
  uint64_t with_gaps = 0;  ///< properties of which a reachable cell was never hit
  CoverageSum& operator+=(const CoverageSum&);
};
CoverageSum coverage_of(const PropertyResult&);  ///< of a skipped one: nothing
CoverageSum coverage_of(const DeviceResult&);
CoverageSum coverage_of(const Results&);
/// "3,855 of 105,303 reachable coverage cells hit (3.7 %)"; empty where none was counted.
std::string coverage_line(const CoverageSum&);

/// The properties whose names begin with one word: "tma", "mma".
struct Area {
  std::string name;
  std::vector<size_t> properties;  ///< positions in DeviceResult::properties
  VerdictCounts counts{};          ///< of properties
  Verdict verdict = Verdict::declined;
  uint64_t cases = 0;
  double seconds = 0;  ///< that its properties ran
  CoverageSum coverage;
};
/// In the order of their first properties. `share`: running_share().
std::vector<Area> areas_of(const DeviceResult&, double share);

/// Threads and devices are busy at the same time, so that what they spent can be more than the run took: each
/// property's busy time times this adds up to no more than that.
double running_share(const Results&);
/// How long a property ran.
double seconds_ran(const PropertyResult&, double share);

/// Why properties were skipped, the most frequent reason first.
struct Skips {
  std::string reason;
  std::vector<size_t> properties;
};
std::vector<Skips> skips_of(const DeviceResult&);

/// What to call a cause: the rule that it violates with what that amounts to, or "unexplained".
std::string title(const Cause&);
/// Where its failures are, a sentence a kind of place: on its first device, of its properties there.
std::vector<std::string> places_of(const Cause&, const Results&);

}  // namespace assay::report
