// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "devices/emulator/async/async.h"
#include "devices/emulator/race/threads.h"
#include "devices/emulator/race/touches.h"

namespace assay::emulator::race {

/// What the qualifiers of an instruction say of its order.
struct MemoryOrder {
  bool is_strong = false;  ///< relaxed, volatile, acquire, release, atomic
  bool is_atomic = false;  ///< reads and writes as one (atom)
  bool acquires = false, releases = false;
  Scope scope = Scope::gpu;
  bool is_collective = false;  ///< the warp does it as one (tcgen05.alloc)
  bool is_read_only = false;   ///< ld.global.nc
};

/// Of a shared::cluster address: above it is the rank of the CTA.
inline constexpr uint32_t rank_shift = 24;

using LaneOffsets = std::array<uint64_t, 32>;

/// Lanes of a warp that do something together.
struct Lanes {
  uint32_t cta = 0, warp = 0, lanes = 0;
  uint32_t line = 0;  ///< of what they do, in the PTX
};

inline Lanes lanes_of(const Issuer& issuer) {
  return {issuer.cta_rank, issuer.thread / 32, 1u << issuer.thread % 32, issuer.line};
}

/// Flags in global memory and what clusters of a grid have released at them. Of what is released at a flag
/// beyond most_flags every acquire learns, so that nothing is reported without cause.
class GridFlags {
 public:
  struct Flag {
    FarClocks released, at_fences;  ///< Knowledge::at_fences of the writers
    AllWithheld withheld;           ///< by releases that wrote what was there
    void join(const Flag& other) {
      withheld.add(other.withheld);
      released.join(other.released);
      at_fences.join(other.at_fences);
    }
  };
  void release(uint64_t place, const Flag& what) {
    const auto found = flags_.find(place);
    if (found != flags_.end())
      found->second.join(what);
    else if (flags_.size() < most_flags)
      flags_.emplace(place, what);
    else
      rest_.join(what);
  }
  Flag acquire(uint64_t place) const {
    Flag found = rest_;
    if (const auto flag = flags_.find(place); flag != flags_.end()) found.join(flag->second);
    return found;
  }

 private:
  static constexpr size_t most_flags = 1 << 16;
  std::unordered_map<uint64_t, Flag> flags_;
  Flag rest_;
};

/// Who knows what of whom in a cluster: clocks of its threads, and what barriers, mbarriers and flags hand
/// on. Causality order, as the rows say it.
class Order {
 public:
  /// `cluster`: its number in the grid that has the flags.
  Order(uint32_t ctas, uint32_t threads_of_cta, uint32_t cluster, GridFlags& grid);

  WarpClock& warp(uint32_t cta, uint32_t index) { return warps_[cta * warps_of_cta_ + index]; }
  WarpClock& warp(const Issuer& issuer) { return warp(issuer.cta_rank, issuer.thread / 32); }
  const Part& of(const Issuer& issuer) { return warp(issuer).of(1u << issuer.thread % 32); }
  uint32_t cta_of(Component warp) const { return warp / warps_of_cta_; }
  uint32_t thread_of(const Moment& moment) const {
    return moment.of % warps_of_cta_ * 32 + static_cast<uint32_t>(__builtin_ctz(moment.lanes));
  }
  /// Where each step of an explored launch notes what it did, or null; `cluster`: in the whole grid.
  void note_touches(Touches* touches, uint64_t cluster) { touches_ = touches, touched_cluster_ = cluster; }
  void touch(Touches::Object kind, uint64_t number, Touch::Kind what, bool may_fail = false) {
    if (touches_ != nullptr) touches_->add(Touches::object(kind, touched_cluster_, number), what, may_fail);
  }
  /// The groups of asynchronous operations of a thread.
  void touch_group(const Issuer& issuer, Touch::Kind what) {
    touch(Touches::Object::group, uint64_t{issuer.cta_rank} << 16 | issuer.thread, what);
  }
  /// Something that finishes work by itself gets a clock.
  Component add_agent();

  void exits(const Lanes& who);
  void cta_arrives(const Lanes& who, uint32_t barrier);
  /// `is_whole`: it waits for all threads of the CTA, of which those that have exited count as arrived.
  void cta_completes(uint32_t cta, uint32_t barrier, bool is_whole);
  void cta_leaves(const Lanes& who, uint32_t barrier, bool waits);
  void cluster_arrives(const Lanes& who, bool releases);
  void cluster_completes();
  void cluster_leaves(const Lanes& who);
  /// bar.warp.sync; `others`: live lanes that are not in the membermask.
  void warp_meets(const Lanes& who, uint32_t others);
  /// fence and membar; `is_sc`: fence.sc.
  void fence(const Lanes& who, Scope scope, bool is_sc);
  /// fence.proxy.async, of which state spaces.
  void proxy_fence(const Lanes& who, bool is_for_shared = true, bool is_for_global = true);
  void init_fence(const Lanes& who);

  /// Strong accesses to a place in memory; those in shared memory have shared_place in their number.
  static constexpr uint64_t shared_place = 1ull << 63;
  /// `repeats`: the write leaves memory as it is.
  void releases(uint64_t place, const Lanes& who, const MemoryOrder& order, bool repeats);
  void acquires(uint64_t place, const Lanes& who, const MemoryOrder& order);

  struct Mbarrier {
    Component agent = no_component;
    uint32_t phases = 0;  ///< that have ended since the first init at this address
    Sync arriving, released;
    Issuer initialiser;
    Moment init;         ///< by its thread,
    Moment init_fenced;  ///< and as fence.mbarrier_init tells it
    bool is_live = false;
    uint32_t first_phase = 0;     ///< `phases` at the init
    std::vector<Lanes> arrivals;  ///< by threads since then, of each warp the last line
    uint32_t parity(uint32_t phase) const { return (phase - first_phase) & 1; }
  };
  /// The last successful wait of a warp at an mbarrier.
  struct Wait {
    uint32_t barrier = 0, lanes = 0, line = 0;
    uint32_t phases = 0;  ///< that had ended: the last of them satisfied it
    uint64_t time = 0;    ///< successful waits of the cluster until then
  };
  /// Of a warp, the latest at the end.
  const std::vector<Wait>& waits(const Issuer& issuer) {
    return waits_[issuer.cta_rank * warps_of_cta_ + issuer.thread / 32];
  }
  /// Something that completes on an mbarrier is issued: the phases that have ended, and when.
  struct Sent {
    uint32_t barrier = 0, phases = 0;
    uint64_t time = 0;
    uint32_t ahead = 0;  ///< arrivals that were to come there before
  };
  Sent sent(uint32_t barrier) {
    const Mbarrier* const found = mbarrier(barrier);
    return {barrier, found == nullptr ? 0 : found->phases, now_};
  }
  /// By shared::cluster address; null where none was initialised.
  Mbarrier* mbarrier(uint32_t address);
  void mbarrier_init(uint32_t address, const Issuer& issuer);
  void mbarrier_inval(uint32_t address);
  void mbarrier_arrives(uint32_t address, const Lanes& who, const MemoryOrder& order);
  void mbarrier_completes(uint32_t address);
  /// A test that has or has not succeeded.
  void mbarrier_tested(uint32_t address, const Lanes& who, const MemoryOrder& order, bool succeeded);
  /// Whether the thread knows that the mbarrier was initialised.
  bool knows_init(const Mbarrier& mbarrier, const Issuer& issuer);
  /// An operation arrives, of which this was known when it was issued.
  void mbarrier_learns(uint32_t address, const Issuer& issuer, const Knowledge& knowledge);

 private:
  void touch_completed(Touches::Object kind, uint64_t number) {
    if (touches_ != nullptr) touches_->complete(Touches::object(kind, touched_cluster_, number));
  }
  void touch_flag(uint64_t place, Touch::Kind what) {
    if (touches_ == nullptr) return;
    if (place & shared_place)
      touch(Touches::Object::flag, place & 0xffffffff, what);
    else
      touches_->add(shared_place | place, what);
  }
  /// More places than this share what is released to them.
  static constexpr size_t most_flags = 4096;
  struct Meeting {
    Knowledge arriving, released;
    AllWithheld withholding, withheld;  ///< by relaxed arrivals
  };
  struct Inits {
    Component agent = no_component;
    uint32_t count = 0;
  };
  WarpClock& warp(const Lanes& who) { return warp(who.cta, who.warp); }
  /// What a relaxed write of the lanes releases: what was fenced before it.
  void collect_fenced(const Lanes& who, Knowledge& into);
  void withhold(const Lanes& who, Cause::Why why, AllWithheld& from);
  void note_wait(uint32_t barrier, const Lanes& who, uint32_t phases);
  void publish(const Lanes& who, bool releases, Scope scope, Sync& to, Row row);
  /// What an arrival of .cta scope tells threads of the mbarrier's CTA, another one.
  void tell_narrowly(const Lanes& who, Sync& to);
  /// `why`: what explains a race where it does not acquire.
  void learn(const Lanes& who, bool acquires, Scope scope, const Sync& from,
             Cause::Why why = Cause::Why::relaxed_read);
  void learn(const Lanes& who, bool acquires, const Knowledge& what, Cause::Why why);
  void fence_inits(const Lanes& who);

  const uint32_t warps_of_cta_, cluster_;
  GridFlags& grid_;
  Touches* touches_ = nullptr;
  uint64_t touched_cluster_ = 0;
  std::vector<WarpClock> warps_;
  uint32_t components_;
  std::vector<std::array<Meeting, 16>> barriers_;  ///< by CTA
  std::vector<Knowledge> exited_;
  Meeting cluster_barrier_;
  std::unordered_map<uint64_t, Sync> flags_;
  Sync rest_;
  std::unordered_map<uint32_t, Mbarrier> mbarriers_;
  std::vector<Inits> inits_;  ///< by warp
  std::vector<std::vector<Wait>> waits_;
  uint64_t now_ = 0;
};

}  // namespace assay::emulator::race
