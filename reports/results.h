#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/record.h"
#include "reports/verdict.h"

namespace assay::report {

using VerdictCounts = std::array<uint64_t, verdicts.size()>;  ///< indexed by Verdict

/// Cases that failed in the same way, of one property on one device.
struct FailureGroup {
  std::string signature;
  Verdict verdict{};
  uint64_t rows = 0;              ///< cases in the file, shrunk copies not counted
  std::vector<CaseRow> examples;  ///< the first few by index, shrunk ones first
};

/// A property on a device: the unit of verdicts.
struct PropertyResult {
  PropertyInfo info;
  uint64_t planned = 0;    ///< 0: by budget
  bool started = false;    ///< totals were recorded
  bool cut_short = false;  ///< by budget, and the property never was complete
  PropertyTotals totals;
  VerdictCounts counts{};  ///< as recorded, plus not-run for what was planned and has no verdict
  Verdict verdict = Verdict::not_run;
  std::string reason;                  ///< why, where the verdict is not about cases; one line
  std::vector<FailureGroup> failures;  ///< most severe first
  std::vector<RuleCount> rules;
  std::vector<CoverageCell> coverage;
  uint64_t cases() const;  ///< with a verdict from the device: issued and judged
};

struct DeviceResult {
  DeviceInfo info;
  bool is_silicon = false;
  Verdict verdict = Verdict::not_run;
  std::vector<PropertyResult> properties;
  std::vector<ReadingRow> readings;
  std::vector<RuleCount> rule_book;  ///< every rule that applies to the architecture; counts are 0
};

struct Finding {
  std::string device, kind, words;
  uint64_t times = 1;  ///< how often the same words were recorded
};

/// A results file, read and judged. Everything that a report says is taken from here.
struct Results {
  RunInfo run;
  bool finished = false;
  std::string finished_utc;
  std::optional<int> recorded_exit;  ///< what the run itself left with
  std::vector<DeviceResult> devices;
  std::vector<Finding> findings;
  Verdict verdict = Verdict::not_run;
  int exit_code = 0;
  bool device_lost = false;
  VerdictCounts property_counts{};  ///< properties on devices, by verdict
};

/// Limits keep a run of a million failures from becoming a million rows of text.
struct ReadLimits {
  size_t examples_per_signature = 5;
  size_t examples_per_property = 400;
};

/// Throws std::runtime_error with one sentence when the file is absent, foreign, damaged or from another
/// version.
Results read_results(const std::filesystem::path& file, const ReadLimits& = {});

}  // namespace assay::report
