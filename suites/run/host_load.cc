// SPDX-License-Identifier: Apache-2.0
#include "suites/run/host_load.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <thread>

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
  std::snprintf(
      text, sizeof text,
      "the host was busy with other work: on average %.1f tasks were ready to run on %u %s, so fewer "
      "cases were run than an idle host runs in this time",
      mean, cores_, cores_ == 1 ? "core" : "cores");
  return text;
}

}  // namespace assay::suites
