// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

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

}  // namespace assay::suites
