// SPDX-License-Identifier: Apache-2.0
#include "devices/cuda/busy_time.h"

#include <algorithm>
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

}  // namespace assay::cuda
