// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "devices/emulator/async/async.h"

namespace assay::emulator {

/// A tensor memory address: lane in bits 31:16, column in bits 15:0 (ptx, Tensor Memory Addressing).
struct TmemAddress {
  uint32_t lane = 0, column = 0;
  static constexpr TmemAddress decode(uint32_t word) { return {word >> 16, word & 0xffff}; }
};

/// A tcgen05.mma, cp or shift that a thread has issued.
struct IssuedWork {
  enum class Kind : uint8_t { mma, copy, shift };
  Kind kind = Kind::mma;
  uint64_t operation = 0;  ///< in Cluster::async
  TmemAddress d;           ///< of an mma, as m and n
  uint32_t m = 0, n = 0;
  bool is_4x256b = false;  ///< of a copy
  bool was_committed = false;
  /// Whether `later`, of the same thread, is done after this one (ptx, tcgen05: pipelined instructions).
  bool is_pipelined_with(const IssuedWork& later) const;
  /// A copy that may write what this product still reads: no document says that it waits for it.
  bool is_followed_by_copy(const IssuedWork& later) const {
    return kind == Kind::mma && later.kind == Kind::copy;
  }
  /// Whether the same works come behind this one and `other`.
  bool is_followed_as(const IssuedWork& other) const {
    return kind == other.kind &&
           (kind != Kind::mma ||
            (d.lane == other.d.lane && d.column == other.d.column && m == other.m && n == other.n));
  }
  /// Copies and shifts of which no document says so.
  bool is_unlisted_pair(const IssuedWork& later) const {
    return kind != Kind::mma && later.kind != Kind::mma && !is_pipelined_with(later);
  }
};

/// Work that a device has not begun: copies if the last one is done first, products if copies overtake them.
struct HeldWork {
  IssuedWork work;
  AsyncOperation operation;
};

/// What the two warps of a CTA pair agree on in tcgen05.alloc with .cta_group::2.
struct PairedAllocation {
  bool is_asked = false;  ///< this CTA's warp has come, and may be waiting
  bool is_done = false;   ///< the pair has its columns; the warp may go on
  uint32_t columns = 0;
  uint32_t first = 0;  ///< is_done: the first column
};

/// The tensor memory of a CTA: 128 lanes of 512 columns of 32 bits, handed out by columns (ptx, Tensor
/// Memory).
class TensorMemory {
 public:
  static constexpr uint32_t lanes = 128, columns = 512;
  static constexpr uint32_t unit = 32;  ///< columns, of an allocation

  TensorMemory();

  /// The units that are taken, a bit each.
  uint32_t taken() const { return taken_; }
  /// Takes columns that are free. What they held before is gone.
  void allocate(uint32_t first, uint32_t count);
  /// False, and nothing happens, if no allocation starts there with that many columns.
  bool release(uint32_t first, uint32_t count);
  bool is_empty() const { return taken_ == 0; }
  /// The allocations: first column, number of columns.
  const std::map<uint32_t, uint32_t>& allocations() const { return allocations_; }
  /// True if every column of the range belongs to some allocation.
  bool is_allocated(uint32_t first, uint32_t count) const;

  /// The cells of a lane, and for each whether something was stored there.
  uint32_t* cells(uint32_t lane) { return cells_.data() + static_cast<size_t>(lane) * columns; }
  uint8_t* written(uint32_t lane) { return written_.data() + static_cast<size_t>(lane) * columns; }

  bool is_relinquished = false;  ///< the CTA may not allocate any more
  PairedAllocation pair;
  std::map<uint32_t, std::vector<IssuedWork>>
      issued;  ///< by threads of the CTA; finished ones may be among them
  std::map<uint32_t, std::vector<HeldWork>> held, held_products;  ///< by threads

 private:
  std::map<uint32_t, uint32_t> allocations_;
  uint32_t taken_ = 0;
  std::vector<uint32_t> cells_;
  std::vector<uint8_t> written_;
};

/// First columns at which `count` columns are free, given the units that are taken.
std::vector<uint32_t> free_columns(uint32_t taken, uint32_t count);

}  // namespace assay::emulator
