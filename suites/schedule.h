#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <vector>

#include "suites/property_run.h"

namespace assay::suites {

/// Case indexes [begin, end) of a property: what a thread runs next.
struct Work {
  PropertyRun* run = nullptr;
  uint64_t begin = 0, end = 0;
};

/// Hands out the indexes of all properties of a device: always of the property that has used least time for
/// its share of the budget, in pieces that keep the device busy for a few tens of milliseconds.
class Schedule {
 public:
  using Clock = std::chrono::steady_clock;

  Schedule(std::vector<PropertyRun*> runs, std::optional<Clock::time_point> deadline, int threads)
      : runs_(std::move(runs)), deadline_(deadline), threads_(threads) {}

  /// Nothing when everything is issued, the deadline has passed or stop() was called.
  std::optional<Work> next();
  /// A batch of the property took this long.
  void spent(PropertyRun&, uint64_t cases, double device_seconds, double host_seconds);
  void stop();

 private:
  uint64_t piece(const PropertyRun&) const;

  std::mutex mutex_;
  std::vector<PropertyRun*> runs_;
  std::optional<Clock::time_point> deadline_;
  int threads_;
  bool stopped_ = false;
};

}  // namespace assay::suites
