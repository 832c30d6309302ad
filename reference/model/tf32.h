// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "reference/spec/questions.h"

namespace assay::model {

/// How the 13 lowest bits of a 32-bit word go.
enum class Tf32Rounding : uint8_t { none, truncated, nearest_away, nearest_even };

/// Of loads through a tf32 type, by the reading of TMA-AMB-07.
inline Tf32Rounding tf32_rounding(const spec::Readings& readings) {
  if (readings.is({"TMA-AMB-07", "not_converted"})) return Tf32Rounding::none;
  if (readings.is({"TMA-AMB-07", "truncated"})) return Tf32Rounding::truncated;
  if (readings.is({"TMA-AMB-07", "nearest_away"})) return Tf32Rounding::nearest_away;
  return Tf32Rounding::nearest_even;
}

/// What a load through a tf32 type makes of a 32-bit word.
struct Tf32Conversion {
  Tf32Rounding rounding = Tf32Rounding::none;
  bool flushes_subnormals =
      false;  ///< rival reading of TMA-AMB-06 for the .ftz types; acts before the rounding

  bool is_copy() const { return rounding == Tf32Rounding::none && !flushes_subnormals; }

  uint32_t operator()(uint32_t word) const {
    const uint32_t magnitude = word & 0x7fffffffu;
    if (flushes_subnormals && magnitude < 0x00800000u) word &= 0x80000000u;
    if (rounding == Tf32Rounding::none) return word;
    if (rounding == Tf32Rounding::truncated) return word & ~0x1fffu;
    // Adding past the mantissa carries into the exponent: overflow goes to infinity. Infinity has nothing to
    // round.
    const uint32_t half = rounding == Tf32Rounding::nearest_even ? 0x0fffu + (word >> 13 & 1u) : 0x1000u;
    const uint32_t rounded = (word + half) & ~0x1fffu;
    return magnitude > 0x7f800000u ? 0x7fffe000u : rounded;
  }

  /// Copies, converting every word; bytes is a multiple of 4 unless nothing is converted. The ranges do not
  /// overlap, or are the same.
  void apply(std::byte* to, const std::byte* from, size_t bytes) const {
    if (is_copy()) {
      if (to != from) std::memcpy(to, from, bytes);
      return;
    }
    size_t at = 0;
    for (; at + 16 <= bytes; at += 16) {
      uint32_t words[4];
      std::memcpy(words, from + at, 16);
      for (uint32_t& word : words) word = (*this)(word);
      std::memcpy(to + at, words, 16);
    }
    for (; at < bytes; at += 4) {
      uint32_t word;
      std::memcpy(&word, from + at, 4);
      word = (*this)(word);
      std::memcpy(to + at, &word, 4);
    }
  }
};

}  // namespace assay::model
