// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::emulator {

/// A scale factor of a block-scaled mma.sync: which one, and what the selectors of its matrix say.
struct FragmentScaleRequest {
  bool is_a;
  uint32_t line;   ///< row of A, column of B
  uint32_t block;  ///< of K
  uint32_t byte_id, thread_id;
  bool is_sparse = false;  ///< of mma.sp
};
/// The register that holds it: a byte of the word of one lane.
struct FragmentScale {
  uint32_t lane, byte;
};

/// (cutlass, mma_traits_sm120.hpp: SFALayout, SFBLayout; ptx, block scaling for mma.sync) Of the four lanes
/// of a quad the pair that thread-id-a says has the scales of rows g and g + 8 of A, the lane that
/// thread-id-b says those of column g of B. A word holds the scales of its line from byte-id on.
constexpr FragmentScale fragment_scale(const FragmentScaleRequest& r) {
  const uint32_t quad = 4 * (r.line % 8);
  return {r.is_a ? quad + 2 * r.thread_id + r.line / 8 : quad + r.thread_id, r.byte_id + r.block};
}

}  // namespace assay::emulator
