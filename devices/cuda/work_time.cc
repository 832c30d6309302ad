// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/work_time.h"

#include <algorithm>
#include <ctime>

namespace assay::cuda {

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
