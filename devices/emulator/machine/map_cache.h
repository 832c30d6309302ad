// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>

#include "devices/emulator/machine/memory.h"
#include "devices/emulator/tma/engine.h"

namespace assay::emulator {

/// The descriptor caches of the multiprocessors, from the start of a launch to its end: a tensor map that a
/// copy has used stays as it was then, whatever is written over it, until an acquire of its address or until
/// other maps push it out (H200: PX-01 to PX-06).
class MapCache {
 public:
  /// Maps of a multiprocessor that stay. The H200 still has most of 64, and none of 256 (PX-05).
  static constexpr size_t capacity = 64;

  /// What a copy finds of the map at `address`, which is `now` in memory. Eager devices look into memory
  /// whenever it changed, lazy ones never, random ones as `random` says: no program may build on either.
  const TensorMapBytes& fetch(uint32_t multiprocessor, uint64_t address, const std::byte* now,
                              Completion completion, const std::function<uint64_t()>& random);
  /// fence.proxy.tensormap::generic.acquire of an address, by a thread of that multiprocessor.
  void acquire(uint32_t multiprocessor, uint64_t address,
               bool (*acquires)(uint64_t acquired, uint64_t map, bool is_last));

 private:
  struct Entry {
    uint64_t address;
    TensorMapBytes map;
  };
  struct Entries {
    std::deque<Entry> maps;  ///< oldest first
    uint64_t last = 0;       ///< address of what was fetched last
  };
  std::map<uint32_t, Entries> entries_;  ///< of each multiprocessor
};

/// What the strict mode knows of the tensor maps in a device's memory from one launch to the next: the end of
/// a kernel does not show to the copies of a later one what was written over a map that they may have cached
/// (ptx, membar/fence: fence.proxy.tensormap), nor what the host has copied over it (guide, Tensor Memory
/// Accelerator: a map in global memory).
class MapHistory {
 public:
  struct Used {
    TensorMapBytes map;
    uint64_t generation;  ///< of the memory
  };
  /// What a cluster did to maps, by their addresses.
  struct Changes {
    std::map<uint64_t, Used> used;  ///< what a copy has read there last
    std::set<uint64_t> changing;    ///< that tensormap instructions or others wrote
    /// A copy reads the map at the address.
    void use(uint64_t address, const Memory& memory);
  };
  void add(const Changes& changes) {
    for (const auto& [address, used] : changes.used) used_[address] = used;
    changing_.insert(changes.changing.begin(), changes.changing.end());
  }
  /// Device code wrote these bytes: of interest where a map lies that was used before, or by its cluster.
  void written(uint64_t address, uint32_t bytes, Changes& by) const {
    if (!used_.empty()) written_over(used_, address, bytes, by);
    if (!by.used.empty()) written_over(by.used, address, bytes, by);
  }
  /// Keeps what the launch's changes have left, so that a map that the host writes later is told from it.
  void launch_ended(const Memory& memory);
  /// Whether the map at the address is as an earlier launch left it that changed it, or is another one than a
  /// copy found there last, in memory that has been allocated all the time.
  bool was_changed_before(uint64_t address, const Memory& memory) const;

 private:
  static void written_over(const std::map<uint64_t, Used>& maps, uint64_t address, uint32_t bytes,
                           Changes& by);

  std::map<uint64_t, Used> used_;
  std::set<uint64_t> changing_;
  std::map<uint64_t, TensorMapBytes> changed_;
};

}  // namespace assay::emulator
