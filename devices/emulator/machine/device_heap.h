// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

#include "devices/emulator/machine/memory.h"

namespace assay::emulator {

/// What malloc and free of kernels share, from the first malloc to the end of the context (CUDA Programming
/// Guide, Dynamic Global Memory Allocation).
class DeviceHeap {
 public:
  explicit DeviceHeap(Memory& memory) : memory_(memory) {}
  /// An address on a multiple of 16, or 0 where nothing so large is free. The first call takes `limit` bytes
  /// of device memory for the heap.
  uint64_t allocate(uint64_t bytes, uint64_t limit);
  /// False: no allocate() returned the address, or it is free again.
  bool release(uint64_t address);
  bool is_in_use() const { return begin_ != 0; }

 private:
  Memory& memory_;
  uint64_t begin_ = 0;
  std::map<uint64_t, uint64_t> free_, taken_;  ///< address -> bytes
};

}  // namespace assay::emulator
