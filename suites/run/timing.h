// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "devices/device.h"
#include "suites/run/conductor.h"
#include "suites/run/device_run.h"
#include "suites/run/property.h"

namespace assay::suites {

/// What a line of /proc/loadavg says (proc(5)).
struct LoadSample {
  double last_minute = 0;  ///< mean number of tasks that run or could
  uint32_t runnable = 0;   ///< tasks that run or could, now
};
std::optional<LoadSample> parse_load(std::string_view line);

/// How many times as long as on an idle machine of `cores` cores something takes now: 1 to 16.
double stretch_of(const LoadSample&, uint32_t cores);
double host_stretch();

/// How busy the machine was while a run went on. Of several threads.
class HostLoad {
 public:
  explicit HostLoad(uint32_t cores) : cores_(cores) {}
  /// Adds a look at /proc/loadavg.
  void look();
  void add(const LoadSample& sample);
  /// A sentence where more tasks than the run's own wanted to run than there are cores; empty where not, and
  /// where nothing is known.
  std::string words() const;

 private:
  const uint32_t cores_;
  mutable std::mutex mutex_;
  uint64_t looks_ = 0, runnable_ = 0;
};

/// The budget in which every property that the devices can run has its first dozen of cases, about, of a host
/// that has nothing else to do.
std::chrono::milliseconds least_budget(std::span<const std::unique_ptr<Device>> devices,
                                       std::span<const Property* const> properties);

/// How long something may go on when a budget is over, of a host that has nothing else to do: so many
/// seconds, and a share of the budget.
struct Late {
  double seconds, share;
};
/// The whole run is over 5 s and a twentieth of its budget late, with its report. Until these moments: cases
/// of properties that had none; what is under way comes back from the device; failures are looked at.
inline constexpr Late late_start{1, 0.01}, late_cases{2.5, 0.02}, late_looks{3, 0.03};
/// By how busy the host is now.
std::chrono::steady_clock::duration late(const Late&, const RunOptions&);

/// Of a run with a deadline, what is kept for repeating, shrinking and the report.
std::chrono::steady_clock::duration reserve(std::chrono::steady_clock::duration whole);
/// Of a budget, once a case has failed.
std::chrono::steady_clock::duration kept_for_failures(const RunOptions&);

/// When that has to be over of a run that takes cases until a moment, if it does, and is all over by another.
std::optional<std::chrono::steady_clock::time_point> last_moment(
    const Late&, const RunOptions&, std::chrono::steady_clock::time_point start,
    std::optional<std::chrono::steady_clock::time_point> cases_until,
    std::optional<std::chrono::steady_clock::time_point> over_by);

/// Raises a budget to the least where the options say so. Throws BudgetTooShort for another that is too
/// short.
void settle_budget(RunOptions&, std::span<const std::unique_ptr<Device>> devices,
                   std::span<const Property* const> properties);

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
