// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>

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

}  // namespace assay::emulator
