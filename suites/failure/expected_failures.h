// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/compare/run_diff.h"
#include "reports/expectations.h"
#include "suites/failure/failure.h"
#include "suites/run/device_run.h"
#include "suites/run/property_run.h"

namespace assay::suites {

/// What a run is told beforehand of failures: waivers, and an earlier run in which the same ones were there.
class ExpectedFailures {
 public:
  /// `today`: YYYY-MM-DD, for the waivers' last days. `absent`: a baseline that does not exist yet.
  ExpectedFailures(std::vector<report::Waiver> waivers, std::optional<report::Baseline> baseline,
                   std::string today, std::filesystem::path absent = {});

  /// The id of what covers a failure, or nothing.
  std::string cover(const report::DeviceInfo&, const Property&, const std::string& signature,
                    const spec::RuleSet&) const;

  /// What became of each waiver that is for this device.
  std::vector<report::WaiverRow> waivers(const report::DeviceInfo&,
                                         const std::vector<std::unique_ptr<PropertyRun>>&) const;

  /// How the run differs from the baseline: what is new, what is gone, which bits changed.
  struct Change {
    std::string kind, words;
  };
  std::vector<Change> changes(const report::DeviceInfo&, const std::vector<std::unique_ptr<PropertyRun>>&,
                              uint64_t seed) const;

 private:
  const std::vector<report::Waiver> waivers_;
  const std::optional<report::Baseline> baseline_;
  const std::string today_;
  const std::filesystem::path absent_;
};

/// Reads a TOML file of waivers and the results file of an earlier run; an empty path: none. A baseline that
/// does not exist yet is a note in changes(). Throws std::runtime_error with one sentence when a file does
/// not say what it should.
ExpectedFailures read_expected_failures(const std::filesystem::path& waivers,
                                        const std::filesystem::path& baseline, std::string today);

/// What has failed so far, for a terminal, when no results file can be read any more.
class SeenFailures {
 public:
  /// What failed, how, and how to run it again; of all but the first 20 only that there are more.
  void add(const Property&, const Outcome&, const CaseOrigin&);
  /// Of each failure signature of a device the first case.
  void add(DeviceRun&, uint64_t seed);
  std::vector<std::string> lines() const;

 private:
  std::vector<std::string> lines_;
  size_t found_ = 0;
};

}  // namespace assay::suites
