// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace assay::emulator {

/// One step of a chain of f64 products as the tensor unit does it: the scalar fused multiply-add with the
/// factors exchanged, so that the NaN of b wins over that of the accumulator, and that over a's (H200,
/// section 8).
inline uint64_t f64_multiply_add(uint64_t a, uint64_t b, uint64_t d) {
  constexpr uint64_t quiet = 1ull << 51;
  const auto is_nan = [](uint64_t code) { return (code << 1) > 0xffe0000000000000; };
  for (const uint64_t code : {b, d, a})
    if (is_nan(code)) return code | quiet;
  const double made = std::fma(std::bit_cast<double>(a), std::bit_cast<double>(b), std::bit_cast<double>(d));
  return made != made ? 0xfff8000000000000 : std::bit_cast<uint64_t>(made);
}

}  // namespace assay::emulator
