// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <tuple>
#include <vector>

#include "devices/emulator/gpu.h"

namespace assay::emulator {

/// What happened to the mbarriers of a launch, in order, as far as the last most_events tell it; kept in the
/// strict mode.
class Timeline {
 public:
  static constexpr size_t most_events = 4096;
  /// What the lanes of a warp do one after the other is one event, of the sum of their arrivals; a warp that
  /// tries its wait again does not begin another.
  void add(const BarrierEvent& event) {
    if (event.kind == BarrierEvent::Kind::blocked && !blocked_.insert(waiter(event)).second) return;
    if (event.kind == BarrierEvent::Kind::wait) blocked_.erase(waiter(event));
    if (!events_.empty() && is_of_same_warp(events_.back(), event)) {
      if (event.kind == BarrierEvent::Kind::arrive) events_.back().amount += event.amount;
      return;
    }
    if (events_.size() == most_events) events_.pop_front();
    events_.push_back(event);
    ++seen_;
  }
  uint64_t seen() const { return seen_; }
  std::vector<BarrierEvent> take() {
    std::vector<BarrierEvent> taken(events_.begin(), events_.end());
    events_.clear();
    return taken;
  }

 private:
  using Waiter = std::tuple<uint32_t, uint32_t, uint32_t>;  ///< CTA, barrier, warp
  static Waiter waiter(const BarrierEvent& event) { return {event.cta, event.address, event.warp}; }
  static bool is_of_same_warp(const BarrierEvent& before, const BarrierEvent& event) {
    using Kind = BarrierEvent::Kind;
    return (event.kind == Kind::arrive || event.kind == Kind::wait) && before.kind == event.kind &&
           event.warp != BarrierEvent::no_warp && waiter(before) == waiter(event) &&
           before.time + 32 >= event.time;
  }
  std::deque<BarrierEvent> events_;
  std::set<Waiter> blocked_;
  uint64_t seen_ = 0;
};

}  // namespace assay::emulator
