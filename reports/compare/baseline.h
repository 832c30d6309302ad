// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/detection.h"
#include "reports/results.h"

namespace assay::report {

/// An earlier results file, to compare a run with: only what changed is loud.
class Baseline {
 public:
  explicit Baseline(const std::filesystem::path& file);

  /// "baseline" and its date, for reports.
  const std::string& name() const { return name_; }
  bool knows_device(const DeviceInfo&) const;
  /// The same device failed in the same way, and no waiver covered it: what a waiver covered has to be
  /// covered by one again.
  bool knows(const DeviceInfo&, std::string_view property, std::string_view signature) const;

  /// True when a known failure signature has become common: `count` of `judged` cases fail in it now, more
  /// than three times as often as then. A signature is coarse on purpose; this is how a second cause behind
  /// it shows.
  bool is_more_frequent(const DeviceInfo&, std::string_view property, std::string_view signature,
                        uint64_t count, uint64_t judged) const;

  /// Ways to fail of the same device and property that `now`, of `judged` cases made from `seed`, does not
  /// show any more.
  struct Missing {
    std::string signature;
    Absence absence;
  };
  std::vector<Missing> missing(const DeviceInfo&, const std::string& property, uint64_t seed, uint64_t judged,
                               const std::vector<FailureKindRow>& now) const;
  /// "cases 4096 to 8191": all of them conform in both files, made from the same seed, and yet their defined
  /// bits differ.
  std::vector<std::string> changed_bits(const DeviceInfo&, const std::string& property, uint64_t seed,
                                        const std::vector<RangeRow>& now) const;

 private:
  bool is_of_seed(uint64_t seed) const;
  const PropertyResult* find(const DeviceInfo&, std::string_view property) const;

  Results results_;
  std::string name_;
};

/// Moves what an earlier run left in `folder` (results.db, its reports, the folder of cases) into a folder of
/// its own there, "earlier-" and when that run began, so that the files of one run stand together. Returns
/// that folder, or nothing where no run had been. Throws std::runtime_error with one sentence where another
/// run is writing there, or where results.db is no results file.
std::optional<std::filesystem::path> set_earlier_aside(const std::filesystem::path& folder);

}  // namespace assay::report
