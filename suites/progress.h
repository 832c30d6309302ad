#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "suites/conductor.h"
#include "suites/device_run.h"

namespace assay::suites {

/// Seconds for what is left of a run after `elapsed` of them, at this many a second; none where that says
/// nothing: the last cases may be those that each end a process.
std::optional<double> time_left(double cases, double per_second, double elapsed);

/// Measures how far the devices of a run are; one thread uses it.
class ProgressMeter {
 public:
  using Clock = std::chrono::steady_clock;
  explicit ProgressMeter(Clock::time_point start) : start_(start), last_time_(start) {}

  /// Everything but the stage. `cases_until`: when the last case is issued, if that is known.
  Progress measure(const std::vector<std::unique_ptr<DeviceRun>>& runs,
                   std::optional<Clock::time_point> cases_until);

 private:
  void count(const PropertyRun& run, Progress& progress, double& busiest);

  const Clock::time_point start_;
  Clock::time_point last_time_;
  uint64_t last_cases_ = 0;
  double rate_ = 0;
  std::map<const PropertyRun*, double> busy_before_;  ///< seconds
};

}  // namespace assay::suites
