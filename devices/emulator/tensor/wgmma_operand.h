// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "devices/emulator/async/async.h"
#include "devices/emulator/machine/cluster.h"
#include "reference/spec/formats.h"

namespace assay::emulator {

/// A shared-memory descriptor of wgmma, decoded; lengths in bytes. Bits that are not named here have no
/// influence (H200: sections 1 and 2).
struct WgmmaDescriptor {
  uint32_t start = 0;        ///< bits 0..13, times 16
  uint32_t leading = 0;      ///< bits 16..29, times 16
  uint32_t stride = 0;       ///< bits 32..45, times 16
  uint32_t base_offset = 0;  ///< bits 49..51
  uint32_t width = 16;  ///< bytes of a swizzled row: codes 0 to 3 of bits 62..63 are 16 (none), 128, 64, 32
  bool is_swizzled() const { return width != 16; }
};
WgmmaDescriptor decode_wgmma_descriptor(uint64_t word);

/// Sixteen bytes of a matrix: eight bytes and more of one row, or elements of neighbouring rows at one k.
struct WgmmaChunk {
  uint32_t run;      ///< where the bytes that are fetched together begin
  uint32_t address;  ///< of the sixteen bytes, swizzled
};

/// A matrix in shared memory as wgmma reads it: `rows` (m of A, n of B) by k elements, 32 bytes, or of B with
/// a sparse A 64.
struct WgmmaOperand {
  WgmmaDescriptor descriptor;
  const spec::Format* format = nullptr;
  uint32_t rows = 0, k = 0;
  bool is_mn_major = false;

  /// K-major: bytes [x, x + 16) of row mn, x a multiple of 16.
  WgmmaChunk k_major(uint32_t mn, uint32_t x) const;
  /// MN-major, 16-bit elements: rows [mn, mn + 8) at k, mn a multiple of 8.
  WgmmaChunk mn_major(uint32_t mn, uint32_t k) const;

  /// Codes row after row into `codes`; `is_unwritten[row]` says whether never-written memory is among them.
  /// Traps illegal_address where a run begins past the end of the CTA's memory; bytes of a run that sticks
  /// out are not defined (H200: section 5).
  void read(const Cta& cta, char side, std::vector<uint32_t>& codes,
            std::vector<uint8_t>& is_unwritten) const;
  /// What read() looks at of rows [first, end), as shared::cluster addresses. `warps`: that read them.
  std::vector<SharedRange> ranges(const Cta& cta, uint32_t first, uint32_t end, uint8_t warps) const;

 private:
  uint32_t swizzled(uint32_t linear) const;
  template <typename F>
  void for_chunks(F f) const;
};

}  // namespace assay::emulator
