// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "devices/emulator/race/clock.h"
#include "devices/emulator/race/rows.h"

namespace assay::emulator::race {

/// Threads that a strong access or a fence is for.
enum class Scope : uint8_t { cta, cluster, gpu };

/// Lanes that know the same.
struct Part {
  uint32_t lanes = 0;
  Knowledge knows;
  std::optional<Knowledge> fenced;  ///< what a fence has prepared for a relaxed write to release
  uint32_t fenced_at = 0;           ///< the warp's time then; 0: of initialisations alone
  Scope fenced_scope = Scope::cta;
  std::optional<Knowledge> pending;  ///< what relaxed reads have found, until a fence acquires it
  mutable std::shared_ptr<const Knowledge> copy;  ///< of `knows`, while it is the same
  const std::shared_ptr<const Knowledge>& shared() const {
    if (!copy) copy = std::make_shared<const Knowledge>(knows);
    return copy;
  }
  void learn(const Knowledge& other) {
    knows.join(other);
    copy.reset();
  }
};

/// What the lanes of a warp know. They begin as one part and come apart where they do things by themselves.
class WarpClock {
 public:
  WarpClock(Component me, uint32_t lanes) : me_(me), every_(lanes), parts_(1) { parts_[0].lanes = lanes; }

  Component me() const { return me_; }
  uint32_t every() const { return every_; }
  uint32_t now() const { return now_; }
  /// The lanes do nothing any more, and nobody waits for them.
  void exits(uint32_t lanes) { every_ &= ~lanes; }
  /// What lanes do from here on is later than what they have released.
  void tick() { ++now_; }
  Moment moment(uint32_t lanes) const { return {me_, lanes, now_}; }

  const Part& of(uint32_t lane_bit) const {
    for (const Part& part : parts_)
      if (part.lanes & lane_bit) return part;
    return parts_[0];
  }
  bool knows_in_some(const Moment& moment) const {
    return std::any_of(parts_.begin(), parts_.end(),
                       [&](const Part& part) { return part.knows.is_over_in_some(moment); });
  }
  /// Calls f(part) for parts that have these lanes and no others.
  template <class F>
  void each(uint32_t lanes, F f) {
    const size_t parts = parts_.size();
    for (size_t i = 0; i < parts; ++i) {
      const uint32_t some = parts_[i].lanes & lanes;
      if (some == 0) continue;
      if (some != parts_[i].lanes) {
        Part other = parts_[i];
        other.lanes &= ~some;
        parts_[i].lanes = some;
        parts_.push_back(std::move(other));
      }
      f(parts_[i]);
    }
  }
  /// All that the lanes know and did.
  void collect(uint32_t lanes, Knowledge& into) const {
    for (const Part& part : parts_)
      if (part.lanes & lanes) into.join(part.knows);
    into.seen.learn(moment(lanes & every_), every_);
  }
  /// The lanes have come together: each knows what all of them do. `more`: what they learn beside that.
  void meet(uint32_t lanes, const Knowledge* more = nullptr);

 private:
  Component me_;
  uint32_t every_, now_ = 1;
  std::vector<Part> parts_;
};

inline void WarpClock::meet(uint32_t lanes, const Knowledge* more) {
  Part together;
  together.lanes = lanes;
  collect(lanes, together.knows);
  if (more != nullptr) together.knows.join(*more);
  bool is_first = true;
  each(lanes, [&](Part& part) {
    if (part.fenced) {
      if (is_first || !together.fenced)
        together.fenced = part.fenced;
      else
        together.fenced->join(*part.fenced);
      together.fenced_at = std::max(together.fenced_at, part.fenced_at);
      together.fenced_scope = std::max(together.fenced_scope, part.fenced_scope);
    }
    if (part.pending) {
      if (!together.pending) together.pending.emplace();
      together.pending->join(*part.pending);
    }
    is_first = false;
  });
  std::erase_if(parts_, [&](const Part& part) { return (part.lanes & lanes) != 0; });
  parts_.push_back(std::move(together));
  tick();
}

/// What was released at a place that threads of a cluster synchronise through: a flag in memory, an mbarrier.
/// Of a release at the scope of a CTA only its threads know.
class Sync {
 public:
  bool is_empty() const { return releases_.empty(); }
  /// `line`: of who releases.
  Knowledge& of(uint32_t cta, Scope scope, uint32_t line) {
    for (Release& one : releases_)
      if (one.cta == cta && one.scope == scope) return one.line = line, one.what;
    return releases_.emplace_back(Release{cta, scope, line, {}}).what;
  }
  void join(const Sync& other) {
    for (const Release& one : other.releases_) of(one.cta, one.scope, one.line).join(one.what);
    if (!other.withheld.is_empty()) withheld.add(other.withheld);
  }
  /// Of what threads of other clusters may know.
  template <class F>
  void each_for_grid(F f) const {
    for (const Release& one : releases_)
      if (orders(Row::grid_scope, one.scope == Scope::gpu)) f(one.what);
  }
  /// Calls f(knowledge) for what a thread of the CTA may acquire, and g(knowledge, line) for what is not for
  /// it: of the release where that is too narrow, else 0.
  template <class F, class G>
  void acquire(uint32_t cta, Scope scope, F f, G g) const {
    for (const Release& one : releases_) {
      const bool is_for = one.cta == cta || (one.scope != Scope::cta && scope != Scope::cta);
      if (orders(Row::scope, is_for))
        f(one.what);
      else
        g(one.what, one.scope == Scope::cta ? one.line : 0);
    }
  }

  AllWithheld withheld;  ///< by relaxed arrivals

 private:
  struct Release {
    uint32_t cta;
    Scope scope;
    uint32_t line;
    Knowledge what;
  };
  std::vector<Release> releases_;
};

}  // namespace assay::emulator::race
