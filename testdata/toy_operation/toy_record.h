// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::params {

/// A barrier that expects so many arrivals gets all but one of them by one instruction, and then the last.
struct ToyRecord {
  uint64_t output_offset;
  uint32_t output_bytes;
  uint32_t arrivals;
  uint32_t mark;  ///< comes back
  uint32_t reserved;
};
static_assert(sizeof(ToyRecord) == 24);

/// What comes back: whether the phase had ended before the last arrival, and behind it; the mark; 0.
inline constexpr uint32_t toy_output_bytes = 16;
/// (ptx, mbarrier.init)
inline constexpr uint32_t toy_most_arrivals = (1u << 20) - 1;

}  // namespace assay::params
