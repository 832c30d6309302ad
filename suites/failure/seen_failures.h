// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "suites/failure/failure.h"
#include "suites/run/device_run.h"

namespace assay::suites {

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
