// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "devices/emulator/async/async.h"
#include "devices/emulator/race/global.h"
#include "devices/emulator/race/order.h"
#include "devices/emulator/race/shadow.h"

namespace assay::emulator::race {

constexpr uint32_t threads_of_warpgroup = 128;
/// For widened rows.
constexpr Moment known_to_all{0, 0, 0};

/// Finds races in the shared memory of a cluster, and of the cluster in global memory: two accesses that
/// overlap, one of them a write, that are not related in causality order and not morally strong (PTX, Memory
/// Consistency Model: Conflict and Data-races). Memory is bounded: Shadow, Clock and most_operations say how.
class Races {
 public:
  using Report = GlobalShadow::Report;
  /// `cluster`: its number in the grid.
  Races(uint32_t ctas, uint32_t threads_of_cta, uint32_t cluster, Grid& grid, Report report);

  Order order;

  /// A generic access of lanes to one place, with that order.
  void access(uint32_t address, uint32_t bytes, const Lanes& who, uint32_t line, bool is_write,
              const MemoryOrder& strong);
  void access(uint32_t address, uint32_t bytes, const Issuer& issuer, bool is_write,
              const MemoryOrder& strong) {
    access(address, bytes, lanes_of(issuer), issuer.line, is_write, strong);
  }
  /// Global memory, by a lane, or by lanes from the first on that each have so many bytes of the row.
  /// `values`: what is written, or null.
  void global_access(uint64_t address, uint32_t bytes, const Lanes& who, uint32_t per_lane, uint32_t line,
                     bool is_write, const MemoryOrder& strong, const std::byte* values);
  /// Loads of lanes that have a place each.
  void global_loads(uint64_t begin, const LaneOffsets& offset, uint32_t bytes, const Lanes& who,
                    uint32_t line, const MemoryOrder& strong);
  /// The same of lanes that access a place each, `begin` plus its offset. `repeating`: those that write what
  /// is there. `is_row`: all 32, each right behind the one before.
  void accesses(uint32_t begin, const LaneOffsets& offset, uint32_t bytes, const Lanes& who, uint32_t line,
                bool is_write, const MemoryOrder& strong, uint32_t repeating, bool is_row);
  /// An mbarrier operation of a thread, or of an asynchronous operation of it.
  void uses_mbarrier(uint32_t address, const Issuer& issuer);

  void issued(const AsyncOperation& operation);
  /// An operation, by its id, is about to complete on the mbarrier.
  void completes_on(uint32_t barrier, uint64_t id);
  void landed(uint64_t id) { numbers_.erase(id); }
  void groups_waited(uint64_t n, const Issuer& issuer, const AsyncGroups& groups, bool is_read);
  void copies_waited(uint64_t n, const Issuer& issuer, const AsyncGroups& groups);
  /// cp.async.mbarrier.arrive: the copies of the thread that are not waited for, and their arrival.
  std::vector<uint32_t> copies_of(const Issuer& issuer) const;
  void copies_arrive(uint32_t barrier, const std::vector<uint32_t>& copies);
  void wgmma_committed(const Issuer& issuer);
  void wgmma_waited(uint64_t n, const Issuer& issuer);
  /// A tcgen05.mma, cp or shift of the thread, before it is issued: when it will be done.
  Moment works(const Issuer& issuer);
  /// Whether some lane of the thread's warp knows of it, or of it by some lane: what warps do together is
  /// theirs.
  bool is_known_to_warp(const Moment& moment, const Issuer& issuer) {
    return order.warp(issuer).knows_in_some(moment);
  }
  /// tcgen05.commit of a thread: what its arrival tells.
  std::shared_ptr<const Knowledge> committed(const Issuer& issuer);

 private:
  /// Operations older than so many count as done and known.
  static constexpr size_t most_operations = 1 << 16;
  static constexpr uint32_t threads_of_warpgroup = 128;
  static constexpr Moment known_to_all{0, 0, 0};  ///< for widened rows
  struct Thread {
    uint32_t cta, index;
    bool operator<(const Thread& other) const {
      return cta != other.cta ? cta < other.cta : index < other.index;
    }
  };
  struct Pending {
    std::vector<uint32_t> bulk, copies;
  };
  /// Works of tcgen05 of a thread, or wgmma of a warpgroup, in the order of issue.
  struct Agent {
    Component component = no_component;
    uint32_t issued = 0;
  };
  /// wgmma of a warp: the last of each committed group.
  struct Groups {
    uint32_t open = 0;
    std::deque<uint32_t> committed;
  };
  static Thread thread_of(const Issuer& issuer) { return {issuer.cta_rank, issuer.thread}; }
  Operation* find(uint32_t number) { return number < first_ ? nullptr : operations_[number - first_].get(); }
  Agent& agent(const Thread& thread) {
    Agent& found = agents_[thread];
    if (found.component == no_component) found.component = order.add_agent();
    return found;
  }
  bool is_ordered(const Entry& entry, bool is_write, const Knowledge& knowledge, Component me, uint32_t lane);
  void report(const Entry& first, bool is_write, const End& second, Lack lack, uint32_t address);
  End end_of(const Entry& entry, bool is_write) const {
    return {{order.cta_of(entry.of), order.thread_of(entry.moment()), entry.line}, is_write, false};
  }
  bool races(const Entry& other, bool other_writes, const Entry& entry, const Part& part);
  /// Whether a relaxed load of a lane finds what another lane of its warp wrote, with nothing between.
  bool relies_on_lockstep(const Entry& write, const Entry& entry, const Part& part);
  /// The word of a page, by a write or by a read.
  void write(ShadowPage& page, uint32_t index, Entry entry, bool repeats, const Part& part, uint32_t address);
  void read(ShadowPage& page, uint32_t index, const Entry& entry, const Part& part, uint32_t address);
  /// A thread on whose behalf an asynchronous operation reads, and what it knows.
  struct Reader {
    Issuer issuer;
    Knowledge knows;
  };
  /// What an asynchronous operation of a reader lacks towards a write.
  std::optional<Lack> lack_of(const Entry& write, const Reader& reader, bool is_async_proxy);
  void remember_read(ShadowPage& page, uint32_t index, const Entry& entry, const Part& part);
  void touch_by_operation(const SharedRange& range, bool is_write, const AsyncOperation& operation,
                          uint32_t number, const std::vector<Reader>& readers);
  std::vector<Reader> readers_of(const AsyncOperation& operation);
  void wait_for(std::vector<uint32_t>& numbers, uint64_t n, const Issuer& issuer, const AsyncGroups& groups,
                bool is_read, Row row);

  /// Numbers that the grid's memory knows accesses of a warp by.
  struct Recent {
    uint32_t line = 0, time = 0, access = 0;
    uint8_t scope = 0;
  };
  void touch_globally(const AsyncOperation& operation, const Knowledge& knowledge);
  uint32_t access_number(const Lanes& who, uint32_t line, uint32_t time, const MemoryOrder& strong);

  Report report_;
  bool is_relaxed_load_ = false;  ///< the access in progress, and no atom
  const uint32_t cluster_;
  Grid& grid_;
  std::vector<std::array<Recent, 8>> recent_;  ///< by warp
  std::vector<Shadow> shadows_;                ///< by CTA
  std::deque<std::shared_ptr<Operation>> operations_;
  uint32_t first_ = 1;                              ///< number of operations_[0]
  std::unordered_map<uint64_t, uint32_t> numbers_;  ///< by AsyncOperation::id, until it has landed
  std::map<Thread, Pending> pending_;
  std::map<Thread, Agent> agents_;
  std::map<Thread, Groups> wgmma_;  ///< by the first thread of the warp
};

}  // namespace assay::emulator::race
