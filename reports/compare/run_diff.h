// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/compare/nights.h"
#include "reports/results.h"

namespace assay::report {

/// What one run says of a property on a device, and another one.
struct PropertyDiff {
  std::string property;
  std::optional<Verdict> before, after;  ///< none: the run does not have it
  uint64_t cases_before = 0, cases_after = 0;
  std::vector<std::string> fresh, gone;  ///< failure signatures
  std::string output;                    ///< conforming cases whose output changed, or empty
  bool operator==(const PropertyDiff&) const = default;
};

struct ReadingDiff {
  std::string question, before, after;  ///< letters, or empty
  bool operator==(const ReadingDiff&) const = default;
};

/// Two runs on one device, or on two that stand for each other.
struct DeviceDiff {
  DeviceInfo before, after;
  std::vector<PropertyDiff> properties;  ///< those that differ, by name
  std::vector<ReadingDiff> readings;     ///< likewise
  size_t alike = 0;                      ///< properties that do not differ
};

/// What failed for one cause in two runs.
struct CauseDiff {
  std::string words;   ///< which rule, or "unexplained: <property>"
  Verdict verdict{};   ///< of its first failure
  std::string replay;  ///< of the run in which it is, the later one of both
  uint64_t cases_before = 0, cases_after = 0;
  bool operator==(const CauseDiff&) const = default;
};

struct RunDiff {
  std::vector<CauseDiff> causes;  ///< of both, those of the later run first
  std::vector<DeviceDiff> devices;
  std::vector<DeviceInfo> only_before, only_after;
  bool is_empty() const;
};

/// Devices are matched by who they are, else by the word that opened them; one of each run is matched in any
/// case, so that two boards or a board and the emulator can be compared.
RunDiff diff_of(const Results& before, const Results& after);

/// For a terminal. `names`: what the files are called.
std::string words(const RunDiff&, const std::pair<std::string, std::string>& names);
nlohmann::json to_json(const RunDiff&);
/// A page of its own: a row a property that differs, what each run says of it side by side.
std::string diff_html(const RunDiff&, const std::pair<std::string, std::string>& names);

}  // namespace assay::report
