// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "devices/emulator/machine/memory.h"
#include "devices/emulator/tma/engine.h"

namespace assay::emulator {

/// What the strict mode knows of the tensor maps in a device's memory from one launch to the next: the end of
/// a kernel does not show to the copies of a later one what was written over a map that they may have cached
/// (ptx, membar/fence: fence.proxy.tensormap). Maps that the host writes are not followed.
class MapHistory {
 public:
  /// A copy has read the map at the address.
  void used(uint64_t address) { used_.insert(address); }
  /// tensormap instructions wrote the map at the address.
  void replaced(uint64_t address) { changing_.insert(address); }
  /// Device code wrote these bytes: of interest where a map lies that was used.
  void written(uint64_t address, uint32_t bytes) {
    if (!used_.empty()) written_over_maps(address, bytes);
  }
  /// Keeps what the launch's changes have left, so that a map that the host writes later is told from it.
  void launch_ended(const Memory& memory);
  /// Whether the map at the address is as an earlier launch left it that changed it.
  bool was_changed_before(uint64_t address, const Memory& memory) const;

 private:
  void written_over_maps(uint64_t address, uint32_t bytes);

  std::set<uint64_t> used_, changing_;
  std::map<uint64_t, TensorMapBytes> changed_;
};

}  // namespace assay::emulator
