// SPDX-License-Identifier: Apache-2.0
#include "suites/run/progress.h"

#include <algorithm>

namespace assay::suites {

double Countdown::next(double foretold, double passed) {
  constexpr double weight = 0.1;  // of two a second: half of a change within four seconds
  if (shown_ < 0) return shown_ = foretold;
  const double expected = std::max(0.0, shown_ - passed);
  return shown_ = expected + weight * (foretold - expected);
}

void WorkLeft::add(double cases_done, double cases_left, double seconds_spent) {
  spent += seconds_spent;
  done += cases_done;
  if (cases_left <= 0) return;
  if (cases_done > 0)
    seconds += cases_left * seconds_spent / cases_done;
  else
    unknown += cases_left;
}

std::optional<double> WorkLeft::time(double elapsed) const {
  if (done <= 0 || spent <= 0 || elapsed <= 0) return std::nullopt;
  return (seconds + unknown * spent / done) * elapsed / spent;
}

Progress ProgressMeter::measure(const std::vector<std::unique_ptr<DeviceRun>>& runs,
                                std::optional<Clock::time_point> cases_until) {
  Progress progress;
  const auto now = Clock::now();
  progress.device =
      runs.size() == 1 ? runs[0]->device().identity().spec : std::to_string(runs.size()) + " devices";
  progress.seconds = std::chrono::duration<double>(now - start_).count();
  double busiest = 0;
  WorkLeft left;
  for (const auto& run : runs) {
    progress.cases += run->judged();
    for (const auto& property : run->properties()) count(*property, progress, busiest, left);
  }
  const double step = std::chrono::duration<double>(now - last_time_).count();
  const double fresh = static_cast<double>(progress.cases - last_cases_) / step;
  rate_ = rate_ == 0 ? fresh : 0.6 * rate_ + 0.4 * fresh;
  last_time_ = now;
  last_cases_ = progress.cases;
  progress.cases_per_second = rate_;
  if (cases_until)
    progress.seconds_left = std::max(0.0, std::chrono::duration<double>(*cases_until - now).count());
  else if (const auto foretold = left.time(progress.seconds); foretold && progress.planned > progress.cases)
    progress.seconds_left = countdown_.next(*foretold, step);
  return progress;
}

/// The property that used most of the device and the host since the last measurement is the one named; where
/// none came back, one that is not over.
void ProgressMeter::count(const PropertyRun& run, Progress& progress, double& busiest, WorkLeft& left) {
  progress.planned += run.planned();
  const report::PropertyTotals totals = run.totals();
  for (const auto& [verdict, count] : totals.counts)
    if (report::fails(verdict)) progress.failures += count;
  const double seconds = totals.device_busy_seconds + totals.host_busy_seconds;
  if (const auto judged = static_cast<double>(run.judged()); run.planned() != 0)
    left.add(judged, run.is_decided() ? 0 : static_cast<double>(run.planned()) - judged, seconds);
  double& before = busy_before_[&run];
  if (seconds - before > busiest) {
    busiest = seconds - before;
    progress.property = run.property().name;
  }
  before = seconds;
  const bool is_open = !run.is_decided() && run.judged() < run.planned();
  if (progress.property.empty() && is_open) progress.property = run.property().name;
}

}  // namespace assay::suites
