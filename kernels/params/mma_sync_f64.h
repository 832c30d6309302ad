// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/params/arena.h"

namespace assay::params {

/// How an operand of f64 is filled: element i is double_element(fill, i), the same on host and device.
struct DoubleFill {
  uint64_t seed = 0;
  uint64_t keep = ~uint64_t{0};  ///< random bits that stay
  uint64_t set = 0;              ///< bits that are 1 afterwards
  uint32_t special_rate = 0;     ///< of 256 elements that then become one of `special`
  uint32_t reserved = 0;
  uint64_t special[4] = {};
};
static_assert(sizeof(DoubleFill) == 64);

constexpr uint64_t double_element(const DoubleFill& fill, uint64_t i) {
  const uint64_t mixed = arena_mix(fill.seed + i);
  if (fill.special_rate != 0) {
    const uint64_t chance = arena_mix(mixed ^ i);
    // Not an index: the compiler would keep the fill in local memory for it.
    const uint64_t lower = (chance >> 8 & 1) != 0 ? fill.special[1] : fill.special[0];
    const uint64_t upper = (chance >> 8 & 1) != 0 ? fill.special[3] : fill.special[2];
    if ((chance & 0xff) < fill.special_rate) return (chance >> 9 & 1) != 0 ? upper : lower;
  }
  return (mixed & fill.keep) | fill.set;
}

/// `tiles` mma.sync.m<m>n8k<k> on f64 by each of four warps: all of a warp with the same A, all warps with
/// the same B's. Register r of A of thread t (0 to 127) is element t * 8 + r of a_fill, register r of B of
/// lane l in tile i element (i * 32 + l) * 4 + r of b_fill. Register r of D of thread t in tile i is the
/// output's element (t * tiles + i) * m / 4 + r; C there is that element of c_fill.
struct alignas(16) MmaSyncF64Record {
  uint32_t m, k;           ///< 8 and 4, or 16 and 4, 8, 16
  uint32_t tiles;          ///< 1 to 64
  uint32_t output_bytes;   ///< 128 * tiles * m / 4 * 8
  uint64_t output_offset;  ///< multiple of 256
  uint32_t opcode;         ///< of m and k (kernels/forms/records.h)
  uint32_t reserved;       ///< 0
  DoubleFill a_fill, b_fill, c_fill;
};
static_assert(sizeof(MmaSyncF64Record) == 224);
inline constexpr uint32_t mma_sync_f64_most_tiles = 64;

}  // namespace assay::params
