// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/busy_time.h"

#include <algorithm>
#include <ctime>
#include <iterator>

namespace assay::cuda {

void BusyTime::add(double start, double end) {
  if (!(end > start)) return;
  auto at = open_.upper_bound(start);
  if (at != open_.begin() && std::prev(at)->second >= start) {
    --at;
    start = at->first;
  }
  while (at != open_.end() && at->first <= end) {
    end = std::max(end, at->second);
    at = open_.erase(at);
  }
  open_.emplace(start, end);
  // Batches in flight overlap each other by seconds at most; 1024 open intervals are far more than that.
  while (open_.size() > 1024) {
    closed_ += open_.begin()->second - open_.begin()->first;
    open_.erase(open_.begin());
  }
}

double BusyTime::seconds() const {
  double sum = closed_;
  for (const auto& [start, end] : open_) sum += end - start;
  return sum;
}

double seconds_of_work(const WorkTime& from, const WorkTime& to) {
  const double wall = to.wall - from.wall;
  if (!from.cpu || !to.cpu || *to.cpu < *from.cpu) return wall;
  return std::clamp(*to.cpu - *from.cpu, wall / 16, std::max(wall, 0.0));
}

double excused_seconds(bool is_opening, double between_looks) {
  constexpr double longest = 0.1;  // looks are 20 ms apart while a process works
  return is_opening && between_looks <= longest ? 0.75 * between_looks : 0;
}

std::optional<double> cpu_seconds(pid_t pid) {
  clockid_t clock;
  timespec time;
  if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
    return std::nullopt;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace assay::cuda
