// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace assay::suites {

/// A set of indexes as half-open ranges, made for ranges that arrive nearly in order.
class IndexSet {
 public:
  void add(uint64_t first, uint64_t end) {
    if (first >= end) return;
    auto next = ranges_.upper_bound(first);
    if (next != ranges_.begin()) {
      const auto before = std::prev(next);
      if (before->second >= first) {
        first = before->first;
        end = std::max(end, before->second);
        ranges_.erase(before);
      }
    }
    while (next != ranges_.end() && next->first <= end) {
      end = std::max(end, next->second);
      next = ranges_.erase(next);
    }
    ranges_.emplace(first, end);
  }

  /// The first index from `index` on that is not in the set.
  uint64_t next_outside(uint64_t index) const {
    const auto next = ranges_.upper_bound(index);
    if (next == ranges_.begin()) return index;
    const auto before = std::prev(next);
    return before->second > index ? before->second : index;
  }

  /// The first index after `index` that is in the set, or `otherwise`.
  uint64_t next_inside(uint64_t index, uint64_t otherwise) const {
    const auto next = ranges_.upper_bound(index);
    return next == ranges_.end() ? otherwise : next->first;
  }

  bool contains(uint64_t index) const { return next_outside(index) != index; }

  uint64_t size() const {
    uint64_t sum = 0;
    for (const auto& [first, end] : ranges_) sum += end - first;
    return sum;
  }

  std::vector<std::pair<uint64_t, uint64_t>> ranges() const { return {ranges_.begin(), ranges_.end()}; }

 private:
  std::map<uint64_t, uint64_t> ranges_;
};

}  // namespace assay::suites
