#include "suites/progress.h"

#include <algorithm>

namespace assay::suites {

std::optional<double> time_left(double cases, double per_second, double elapsed) {
  const double left = cases / per_second;
  if (!(per_second > 0) || left > 10 * std::max(10.0, elapsed)) return std::nullopt;
  return left;
}

Progress ProgressMeter::measure(const std::vector<std::unique_ptr<DeviceRun>>& runs,
                                std::optional<Clock::time_point> cases_until) {
  Progress progress;
  const auto now = Clock::now();
  progress.device =
      runs.size() == 1 ? runs[0]->device().identity().spec : std::to_string(runs.size()) + " devices";
  progress.seconds = std::chrono::duration<double>(now - start_).count();
  double busiest = 0;
  for (const auto& run : runs) {
    progress.cases += run->judged();
    for (const auto& property : run->properties()) count(*property, progress, busiest);
  }
  const double step = std::chrono::duration<double>(now - last_time_).count();
  const double fresh = static_cast<double>(progress.cases - last_cases_) / step;
  rate_ = rate_ == 0 ? fresh : 0.6 * rate_ + 0.4 * fresh;
  last_time_ = now;
  last_cases_ = progress.cases;
  progress.cases_per_second = rate_;
  if (cases_until)
    progress.seconds_left = std::max(0.0, std::chrono::duration<double>(*cases_until - now).count());
  else if (progress.planned > progress.cases)
    progress.seconds_left =
        time_left(static_cast<double>(progress.planned - progress.cases), rate_, progress.seconds)
            .value_or(progress.seconds_left);
  return progress;
}

/// The property that used most of the device and the host since the last measurement is the one named; where
/// none came back, one that is not over.
void ProgressMeter::count(const PropertyRun& run, Progress& progress, double& busiest) {
  progress.planned += run.planned();
  const report::PropertyTotals totals = run.totals();
  for (const auto& [verdict, count] : totals.counts)
    if (report::fails(verdict)) progress.failures += count;
  const double seconds = totals.device_busy_seconds + totals.host_busy_seconds;
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
