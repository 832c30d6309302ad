// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::params {

/// Bytes of the read-only arena in global memory that every load reads from and every fill comes from.
/// Its content is arena_word(i), the same on host and device.
inline constexpr uint64_t arena_bytes = 32ull << 20;

/// The shared window of a probe starts at a multiple of this absolute shared address, so that offsets inside
/// the window decide the swizzle phase (address bits 9:7).
inline constexpr uint32_t window_alignment = 1024;

/// Largest shared window of one case, bytes.
inline constexpr uint32_t max_window_bytes = 216 * 1024;
/// Of a window with operands of wgmma or tcgen05.mma: the 227 KiB that a CTA may have, less the probe's own
/// variables and what alignment takes.
inline constexpr uint32_t max_operand_window_bytes = 226 * 1024;

/// Word i (8 bytes at arena offset 8 * i) of the arena: a bijective mix of i in three quarters of the arena.
/// In the last quarter the words are pairs of 32-bit patterns in which every class of float (zeros,
/// subnormals, ties of the tf32 rounding, infinities, quiet and signalling NaN) is frequent. Before it lies a
/// strip of borders of integers: 2^k and 2^k - 1 of 64 bits and their complements, so that carries of every
/// length come up, and in the halves 0, 1, the sign bit alone, all below it, and ones alone.
inline constexpr uint64_t arena_floats = arena_bytes / 4 * 3;
inline constexpr uint64_t arena_integers = arena_floats - (1 << 20);
constexpr uint64_t arena_mix(uint64_t i) {
  uint64_t z = i * 0x9e3779b97f4a7c15ull + 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
constexpr uint32_t arena_float_pattern(uint32_t random) {
  const uint32_t kind = random & 7, sign = random & 0x80000000u, bits = random >> 3;
  const uint32_t exponent = (kind == 0)   ? 0u     // zeros and subnormals
                            : (kind == 1) ? 0xffu  // infinities and NaN
                            : (kind == 2) ? 0xfeu  // next to overflow
                                          : (random >> 23) & 0xffu;
  const uint32_t shape = (random >> 28) & 7;
  uint32_t mantissa = bits & 0x7fffffu;
  if (shape == 0) mantissa = 0;
  if (shape == 1) mantissa = (mantissa & ~0x1fffu) | 0x1000u;  // a tie of rounding at bit 13
  if (shape == 2) mantissa |= 0x7fe000u;
  return sign | exponent << 23 | mantissa;
}
constexpr uint64_t arena_integer_border(uint64_t random) {
  const uint64_t border = (uint64_t{1} << (random & 63)) - (random >> 6 & 1);
  return border ^ (uint64_t{0} - (random >> 7 & 1));
}
constexpr uint64_t arena_word(uint64_t i) {
  const uint64_t mixed = arena_mix(i);
  if (i < arena_integers / 8) return mixed;
  if (i < arena_floats / 8) return arena_integer_border(mixed);
  return static_cast<uint64_t>(arena_float_pattern(static_cast<uint32_t>(mixed >> 32))) << 32 |
         arena_float_pattern(static_cast<uint32_t>(mixed));
}

}  // namespace assay::params
