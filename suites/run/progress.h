// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "suites/run/conductor.h"
#include "suites/run/device_run.h"

namespace assay::suites {

/// A number of seconds to look at: goes down as time passes, and towards what is foretold a little at a time,
/// so that a rate that comes and goes makes it no jump.
class Countdown {
 public:
  /// `passed`: since the last call.
  double next(double foretold, double passed);

 private:
  double shown_ = -1;
};

/// What is left of a run: cases of each property, at what one of them has cost so far.
struct WorkLeft {
  double seconds = 0;          ///< of work, at the cost of each property's own cases
  double unknown = 0;          ///< cases of properties of which none is known
  double spent = 0, done = 0;  ///< seconds of work so far, and cases
  void add(double cases_done, double cases_left, double seconds_spent);
  /// Of time, where `elapsed` of it gave what was spent; none while nothing is known.
  std::optional<double> time(double elapsed) const;
};

/// Measures how far the devices of a run are; one thread uses it.
class ProgressMeter {
 public:
  using Clock = std::chrono::steady_clock;
  explicit ProgressMeter(Clock::time_point start) : start_(start), last_time_(start) {}

  /// Everything but the stage. `cases_until`: when the last case is issued, if that is known.
  Progress measure(const std::vector<std::unique_ptr<DeviceRun>>& runs,
                   std::optional<Clock::time_point> cases_until);

 private:
  void count(const PropertyRun& run, Progress& progress, double& busiest, WorkLeft& left);

  const Clock::time_point start_;
  Clock::time_point last_time_;
  uint64_t last_cases_ = 0;
  double rate_ = 0;
  Countdown countdown_;
  std::map<const PropertyRun*, double> busy_before_;  ///< seconds
};

}  // namespace assay::suites
