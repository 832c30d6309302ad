// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

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

}  // namespace assay::cuda
