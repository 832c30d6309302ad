// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "devices/emulator/gpu.h"

namespace assay::emulator {

/// Global memory: allocations of its own and mapped host memory, as sorted address ranges. Allocations lie at
/// the same addresses in every process that makes them in the same order, as far as the host's kernel has
/// these free: a fault in the bits of an address is met by the same case everywhere.
class Memory final : public GlobalMemory {
 public:
  struct Range {
    uint64_t begin = 0, end = 0;
    uint64_t mapping = 0, mapping_bytes = 0;  ///< of the mmap behind an allocation; 0 for host memory
    uint64_t number = 0;                      ///< allocations are counted from 1,
    uint64_t freed = 0;                       ///< and so are those that are freed
  };

  Memory();
  ~Memory() override;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  uint64_t allocate(size_t bytes) override;
  bool release(uint64_t address) override;
  void map_host(void* address, size_t bytes) override;
  void unmap_host(void* address) override;
  std::byte* find(uint64_t address, size_t bytes) const override;
  /// The range that holds the address, or null. Valid until the next change.
  const Range* locate(uint64_t address) const;
  const std::vector<Range>& ranges() const { return ranges_; }
  /// "byte 16 of allocation 2" of a byte that has its place.
  std::string byte_name(uint64_t address) const;
  /// Where bytes lie that find() does not: "512 bytes past the end of the 65,536 bytes of allocation 3", "in
  /// the 64 bytes of allocation 2, which call 1 of cudaFree freed"; "outside every allocation" where there is
  /// none near.
  std::string where(uint64_t address, uint64_t bytes) const;
  /// Counts changes, so that a cached range can be known to be stale.
  uint64_t generation() const { return generation_; }

 private:
  void insert(const Range& range);
  /// Where `bytes` would lie lowest in this memory's lane.
  uint64_t lowest_gap(uint64_t bytes) const;

  int lane_;  ///< which part of the address space is this memory's; none of the others alive has it
  std::vector<Range> ranges_;  ///< sorted by begin, disjoint
  static constexpr size_t most_released = 256;
  std::deque<Range> released_;  ///< the last ones
  uint64_t generation_ = 0, allocations_ = 0, freed_ = 0;
};

/// The contents of global memory at one time.
class MemoryImage {
 public:
  explicit MemoryImage(const Memory& memory);
  void restore() const;
  uint64_t hash() const;  ///< of the contents
  /// The first byte that is another one now.
  std::optional<uint64_t> difference() const;

 private:
  std::vector<std::pair<uint64_t, std::vector<std::byte>>> parts_;  ///< by address
};

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
