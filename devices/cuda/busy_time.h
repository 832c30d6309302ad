// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>
#include <map>
#include <optional>

namespace assay::cuda {

/// Total length of a union of intervals that arrive roughly in order; seconds of one clock.
class BusyTime {
 public:
  void add(double start, double end);
  double seconds() const;

 private:
  std::map<double, double> open_;  ///< disjoint, start -> end
  double closed_ = 0;              ///< length of intervals too old to be joined by new ones
};

/// A moment, for deadlines of work: a GPU works as time goes by, an emulated one as its process gets a core.
struct WorkTime {
  double wall = 0;            ///< seconds of the monotonic clock
  std::optional<double> cpu;  ///< seconds that the process had a core; nothing: not what counts, or not known
};

/// Between two moments: the time on a core, where both know it, but at least a sixteenth of the time that
/// went by, or a process that sleeps for ever would never be late.
double seconds_of_work(const WorkTime& from, const WorkTime& to);

/// What of the seconds between two looks at a process does not count: a GPU opens its contexts one at a time,
/// and work of others may wait for all of that. Three quarters while any process opens it, so that a hang
/// ends also beside processes that open it again and again; nothing of the time in which nobody looked.
double excused_seconds(bool is_opening, double between_looks);

/// Of a process that is there; nothing: it is not.
std::optional<double> cpu_seconds(pid_t pid);

}  // namespace assay::cuda
