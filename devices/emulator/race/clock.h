// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

/// Vector clocks over what a cluster has that does things by itself: its warps, lane by lane where lanes
/// differ, and the agents that finish asynchronous work (mbarriers, warpgroups, threads that issue tcgen05).
namespace assay::emulator::race {

/// A warp, or an agent, by number.
using Component = uint16_t;
inline constexpr Component no_component = 0xffff;
inline constexpr uint32_t most_components = 0xff00;

/// What lanes of a component did until a time. Agents have one lane.
struct Moment {
  Component of = no_component;
  uint32_t lanes = 1;
  uint32_t time = 0;
};

/// What is known of each component: all that it did until some time, and of single lanes more. Times begin
/// at 1.
class Clock {
 public:
  /// Of all lanes, whatever is known of some.
  bool knows_all(Component of, uint32_t time) const { return of < all_.size() && all_[of] >= time; }
  bool knows(const Moment& moment) const {
    if (knows_all(moment.of, moment.time)) return true;
    return !some_.empty() && knows_apart(moment);
  }
  bool knows_apart(const Moment& moment) const {
    uint32_t left = moment.lanes;
    for (const Some& one : some_)
      if (one.of == moment.of && one.time >= moment.time) left &= ~one.lanes;
    return left == 0;
  }
  /// Of some lanes that did it at that time or later.
  bool knows_some(const Moment& moment) const {
    return knows(moment) || std::any_of(some_.begin(), some_.end(), [&](const Some& one) {
             return one.of == moment.of && one.time >= moment.time;
           });
  }
  /// `every`: the lanes that the component has.
  void learn(const Moment& moment, uint32_t every);
  void join(const Clock& other);
  bool is_empty() const { return all_.empty() && some_.empty(); }
  bool covers(const Clock& other) const {
    for (size_t i = 0; i < other.all_.size(); ++i)
      if (other.all_[i] > (i < all_.size() ? all_[i] : 0)) return false;
    return std::all_of(other.some_.begin(), other.some_.end(), [&](const Some& one) {
      return knows({one.of, one.lanes, one.time});
    });
  }

 private:
  /// Lanes of which more is known than of their whole warp. More of them than this are not kept apart: then
  /// the whole warp counts as known, so that memory is bounded and nothing is reported without cause.
  static constexpr size_t most_apart = 64;
  struct Some {
    Component of;
    uint32_t lanes, every, time;
  };
  void raise(Component of, uint32_t time) {
    if (all_.size() <= of) all_.resize(of + size_t{1}, 0);
    all_[of] = std::max(all_[of], time);
  }
  void forget_known();
  /// Of a warp whose lanes are all in the list the earliest moment holds for the whole.
  void gather(Component of, uint32_t every);

  std::vector<uint32_t> all_;
  std::vector<Some> some_;
};

inline void Clock::forget_known() {
  std::erase_if(some_, [&](const Some& one) { return one.of < all_.size() && all_[one.of] >= one.time; });
}

inline void Clock::gather(Component of, uint32_t every) {
  uint32_t lanes = 0, earliest = ~0u;
  for (const Some& one : some_) {
    if (one.of != of) continue;
    lanes |= one.lanes;
    earliest = std::min(earliest, one.time);
  }
  if ((every & ~lanes) != 0) return;
  raise(of, earliest);
  forget_known();
}

inline void Clock::learn(const Moment& moment, uint32_t every) {
  if ((every & ~moment.lanes) == 0) {
    raise(moment.of, moment.time);
    if (!some_.empty()) forget_known();
    return;
  }
  if (moment.of < all_.size() && all_[moment.of] >= moment.time) return;
  uint32_t lanes = moment.lanes;
  bool is_kept = false;
  for (Some& one : some_) {
    if (one.of != moment.of) continue;
    if (one.time > moment.time) {
      lanes &= ~one.lanes;
    } else if (one.time == moment.time) {
      one.lanes |= lanes;
      is_kept = true;
    } else {
      one.lanes &= ~lanes;
    }
  }
  std::erase_if(some_, [](const Some& one) { return one.lanes == 0; });
  if (lanes != 0 && !is_kept) some_.push_back({moment.of, lanes, every, moment.time});
  gather(moment.of, every);
  if (some_.size() <= most_apart) return;
  raise(some_.front().of, some_.front().time);
  forget_known();
}

inline void Clock::join(const Clock& other) {
  if (all_.size() < other.all_.size()) all_.resize(other.all_.size(), 0);
  for (size_t i = 0; i < other.all_.size(); ++i) all_[i] = std::max(all_[i], other.all_[i]);
  if (!some_.empty()) forget_known();
  for (const Some& one : other.some_) learn({one.of, one.lanes, one.time}, one.every);
}

/// What is known of other clusters of the grid: as much as was released at a flag in global memory. Copies
/// share what they have in common.
class FarClocks {
 public:
  bool is_empty() const { return !all_; }
  /// What threads of the cluster have seen, and what of global memory was made visible to the async proxy.
  static FarClocks of(uint32_t cluster, const Clock& seen, const Clock& fenced) {
    FarClocks made;
    made.all_ = std::make_shared<const std::vector<One>>(
        1, One{cluster, std::make_shared<const Clock>(seen), std::make_shared<const Clock>(fenced)});
    return made;
  }
  void join(const FarClocks& other);
  /// What is known of a cluster, or null.
  const Clock* seen_of(uint32_t cluster) const {
    const One* const found = find(cluster);
    return found == nullptr ? nullptr : found->seen.get();
  }
  /// fence.proxy.async for all that is known.
  void fence();
  /// Of some lanes that did it at that time or later.
  bool knows_some(uint32_t cluster, const Moment& moment, bool is_fenced) const;

 private:
  struct One {
    uint32_t cluster;
    std::shared_ptr<const Clock> seen, fenced;
  };
  const One* find(uint32_t cluster) const;
  static std::shared_ptr<const Clock> joined(const std::shared_ptr<const Clock>& mine,
                                             const std::shared_ptr<const Clock>& other);
  std::shared_ptr<const std::vector<One>> all_;   ///< by rising cluster
  std::shared_ptr<const std::vector<One>> last_;  ///< what was joined last: who spins reads it again
};

inline std::shared_ptr<const Clock> FarClocks::joined(const std::shared_ptr<const Clock>& mine,
                                                      const std::shared_ptr<const Clock>& other) {
  if (mine == other || mine->covers(*other)) return mine;
  if (other->covers(*mine)) return other;
  const auto both = std::make_shared<Clock>(*mine);
  both->join(*other);
  return both;
}

inline void FarClocks::join(const FarClocks& other) {
  if (other.all_ == nullptr || all_ == other.all_ || last_ == other.all_) return;
  last_ = other.all_;
  if (all_ == nullptr) {
    all_ = other.all_;
    return;
  }
  std::vector<One> both;
  both.reserve(std::max(all_->size(), other.all_->size()));
  bool is_mine = true, is_other = true;
  auto a = all_->begin(), b = other.all_->begin();
  while (a != all_->end() || b != other.all_->end()) {
    if (b == other.all_->end() || (a != all_->end() && a->cluster < b->cluster)) {
      is_other = false;
      both.push_back(*a++);
    } else if (a == all_->end() || b->cluster < a->cluster) {
      is_mine = false;
      both.push_back(*b++);
    } else {
      const One& one =
          both.emplace_back(One{a->cluster, joined(a->seen, b->seen), joined(a->fenced, b->fenced)});
      is_mine &= one.seen == a->seen && one.fenced == a->fenced;
      is_other &= one.seen == b->seen && one.fenced == b->fenced;
      ++a, ++b;
    }
  }
  if (is_other)
    all_ = other.all_;
  else if (!is_mine)
    all_ = std::make_shared<const std::vector<One>>(std::move(both));
}

inline void FarClocks::fence() {
  if (all_ == nullptr) return;
  std::vector<One> fenced = *all_;
  for (One& one : fenced) one.fenced = one.seen;
  all_ = std::make_shared<const std::vector<One>>(std::move(fenced));
}

inline const FarClocks::One* FarClocks::find(uint32_t cluster) const {
  if (all_ == nullptr) return nullptr;
  const auto found = std::lower_bound(all_->begin(), all_->end(), cluster,
                                      [](const One& one, uint32_t wanted) { return one.cluster < wanted; });
  return found == all_->end() || found->cluster != cluster ? nullptr : &*found;
}

inline bool FarClocks::knows_some(uint32_t cluster, const Moment& moment, bool is_fenced) const {
  const One* const found = find(cluster);
  return found != nullptr && (is_fenced ? found->fenced : found->seen)->knows_some(moment);
}

/// An instruction but for which two accesses were ordered.
struct Cause {
  enum class Why : uint8_t {
    none,
    relaxed_read,     ///< a test, or a read of a flag, that acquires nothing
    relaxed_arrival,  ///< one that releases nothing
    scope,            ///< a release or an acquire that is not for the other thread
    same_value,       ///< a release that writes what is there
    relaxed_atomic,   ///< an atom of global memory that acquires nothing, with no fence behind it
  };
  Why why = Why::none;
  uint32_t line = 0;  ///< in the PTX
};

/// What an instruction would have told, had it ordered more than it does. It explains races alone.
struct Withheld {
  Cause cause;
  Clock seen;
  FarClocks far;
};

/// By the last few instructions.
class AllWithheld {
 public:
  bool is_empty() const { return all_.empty(); }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }
  void add(const std::shared_ptr<const Withheld>& more);
  void add(const AllWithheld& other) {
    for (const auto& one : other.all_) add(one);
  }

 private:
  static constexpr size_t most = 4;
  std::vector<std::shared_ptr<const Withheld>> all_;
};

inline void AllWithheld::add(const std::shared_ptr<const Withheld>& more) {
  for (auto& one : all_) {
    if (one == more) return;
    if (one->cause.why != more->cause.why || one->cause.line != more->cause.line) continue;
    if (one->seen.covers(more->seen) && more->far.is_empty()) return;
    const auto both = std::make_shared<Withheld>(*one);
    both->seen.join(more->seen);
    both->far.join(more->far);
    one = both;
    return;
  }
  // Races with an atom as their cause are a warning: that is never forgotten for another.
  const auto is_lesser = [](const auto& one) { return one->cause.why != Cause::Why::relaxed_atomic; };
  if (all_.size() == most) {
    const auto lesser = std::find_if(all_.begin(), all_.end(), is_lesser);
    all_.erase(lesser == all_.end() ? all_.begin() : lesser);
  }
  all_.push_back(more);
}

/// What a thread knows to have happened, and what of it was made visible to the async proxy: in shared
/// memory, in global memory. `told`: what was done with reads and asynchronous operations as far as
/// Row::narrow_arrival tells, but not with other writes. Of all clusters, its own among them: what was known
/// at those fence.sc that the thread knows of, and at those that come before a write that it has found
/// (Row::fence_sc).
struct Knowledge {
  Clock seen, told, fenced, fenced_global;
  FarClocks far, at_fences, at_fences_found;
  AllWithheld withheld;
  /// Of a read, or of a moment of an asynchronous operation.
  bool is_over(const Moment& moment) const {
    return seen.knows(moment) || (!told.is_empty() && told.knows(moment));
  }
  bool is_over_in_some(const Moment& moment) const {
    return seen.knows_some(moment) || told.knows_some(moment);
  }
  void withhold(Cause::Why why, uint32_t line, const Knowledge& what) {
    withheld.add(std::make_shared<const Withheld>(Withheld{{why, line}, what.seen, what.far}));
  }
  /// Of what a thread should know and does not: the instruction that kept `has(knowledge)` from it, if one
  /// did.
  template <class F>
  Cause cause(F has) const {
    for (const auto& one : withheld) {
      Knowledge all;
      all.seen = one->seen;
      all.far = one->far;
      if (has(all)) return one->cause;
    }
    return {};
  }
  void join(const Knowledge& other) {
    if (!other.withheld.is_empty()) withheld.add(other.withheld);
    seen.join(other.seen);
    if (!other.told.is_empty()) told.join(other.told);
    fenced.join(other.fenced);
    if (!other.fenced_global.is_empty()) fenced_global.join(other.fenced_global);
    far.join(other.far);
    at_fences.join(other.at_fences);
    at_fences_found.join(other.at_fences_found);
  }
};

}  // namespace assay::emulator::race
