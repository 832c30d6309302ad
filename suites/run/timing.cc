// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include "suites/run/timing.h"

namespace assay::suites {
namespace {

constexpr double most_stretch = 16;

std::optional<LoadSample> look_at_host() {
  std::ifstream file("/proc/loadavg");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  return parse_load(line);
}

}  // namespace

std::optional<LoadSample> parse_load(std::string_view line) {
  LoadSample sample;
  double five = 0, fifteen = 0;
  if (std::sscanf(std::string(line).c_str(), "%lf %lf %lf %u/", &sample.last_minute, &five, &fifteen,
                  &sample.runnable) != 4 ||
      !(sample.last_minute >= 0))
    return std::nullopt;
  return sample;
}

double stretch_of(const LoadSample& sample, uint32_t cores) {
  // The mean of a minute lags behind a burst, the count of a moment misses one.
  const double tasks = std::max(sample.last_minute, static_cast<double>(sample.runnable));
  return std::clamp(tasks / std::max<double>(1, cores), 1.0, most_stretch);
}

double host_stretch() {
  const std::optional<LoadSample> sample = look_at_host();
  return sample ? stretch_of(*sample, std::thread::hardware_concurrency()) : 1;
}

void HostLoad::look() {
  if (const std::optional<LoadSample> sample = look_at_host()) add(*sample);
}

void HostLoad::add(const LoadSample& sample) {
  const std::lock_guard lock(mutex_);
  ++looks_;
  runnable_ += sample.runnable;
}

std::string HostLoad::words() const {
  const std::lock_guard lock(mutex_);
  if (looks_ == 0) return {};
  const double mean = static_cast<double>(runnable_) / static_cast<double>(looks_);
  // A thread of a run and the process of its device take turns, and the two overlap at times.
  if (mean <= 2 * std::max<double>(1, cores_)) return {};
  char text[160];
  std::snprintf(text, sizeof text,
                "the host was busy with other work: on average %.1f tasks were ready to run on %u %s, so "
                "fewer cases ran than on an idle host",
                mean, cores_, cores_ == 1 ? "core" : "cores");
  return text;
}

namespace {

using Clock = std::chrono::steady_clock;

/// Seconds of a core that a case takes on the emulator, about: the mean of all properties is half of it.
constexpr double emulated_case = 0.005;
/// Seconds that the first cases of a property take on a GPU: its module is loaded, and nothing else is in
/// flight.
constexpr double first_on_silicon = 0.05;

/// Of one device, the properties whose cases end no process.
double plain_seconds(const Device& device) {
  const DeviceIdentity& identity = device.identity();
  const bool copies = identity.sacrifices == identity.processes;
  return copies ? first_dozen * emulated_case / identity.processes : first_on_silicon;
}

std::string in_words(std::chrono::milliseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6gs", 1e-3 * static_cast<double>(time.count()));
  return text;
}

}  // namespace

Clock::duration late(const Late& by, const RunOptions& options) {
  const double budget = options.budget ? 1e-3 * static_cast<double>(options.budget->count()) : 0;
  const std::chrono::duration<double> seconds(host_stretch() * (by.seconds + by.share * budget));
  return std::chrono::duration_cast<Clock::duration>(seconds);
}

Clock::duration reserve(Clock::duration whole) {
  return std::clamp<Clock::duration>(whole / 10, std::chrono::seconds(2), std::chrono::seconds(90));
}

Clock::duration kept_for_failures(const RunOptions& options) {
  return options.budget ? std::min<Clock::duration>(options.shrink_time, *options.budget / 10)
                        : Clock::duration::zero();
}

std::optional<Clock::time_point> last_moment(const Late& by, const RunOptions& options,
                                             Clock::time_point start,
                                             std::optional<Clock::time_point> cases_until,
                                             std::optional<Clock::time_point> over_by) {
  if (!cases_until) return std::nullopt;
  const Clock::time_point last = *cases_until + late(by, options);
  return over_by ? std::min(last, *over_by - reserve(*over_by - start) / 2) : last;
}

std::chrono::milliseconds least_budget(std::span<const std::unique_ptr<Device>> devices,
                                       std::span<const Property* const> properties) {
  double most = 0;
  for (const auto& device : devices) {
    const auto arch = spec::parse_arch(device->identity().architecture).value_or(spec::Arch::sm_90);
    double plain = 0, sacrifices = 0;
    for (const Property* property : properties) {
      const std::string_view family = property->family().name();
      if (device->declines(family) || (property->declines != nullptr && property->declines(arch))) continue;
      if (property->is_sacrificial())
        sacrifices += first_dozen * device->sacrifice_seconds(family);
      else
        plain += plain_seconds(*device);
    }
    most = std::max(most, plain + static_cast<double>(devices.size()) * sacrifices);
  }
  return std::chrono::milliseconds(100 * static_cast<int64_t>(std::ceil(10 * most - 1e-6)));
}

void settle_budget(RunOptions& options, std::span<const std::unique_ptr<Device>> devices,
                   std::span<const Property* const> properties) {
  if (!options.budget || options.resume) return;
  const std::chrono::milliseconds least = least_budget(devices, properties);
  if (*options.budget >= least) return;
  if (options.lengthens_budget) {
    options.budget = least;
    return;
  }
  throw BudgetTooShort(in_words(*options.budget) + " is too short for a dozen cases of every property; " +
                       in_words(least) + " would do, and --budget least takes that");
}

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
