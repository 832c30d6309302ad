#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace assay::model {

/// What a load through a tf32 type makes of a 32-bit word. Letters are the readings of TMA-AMB-07.
struct Tf32Conversion {
  char reading = 'D';  ///< D: none
  bool flushes_subnormals =
      false;  ///< rival reading of TMA-AMB-06 for the .ftz types; acts before the rounding

  bool is_copy() const { return reading == 'D' && !flushes_subnormals; }

  uint32_t operator()(uint32_t word) const {
    const uint32_t magnitude = word & 0x7fffffffu;
    if (flushes_subnormals && magnitude < 0x00800000u) word &= 0x80000000u;
    if (reading == 'D') return word;
    if (reading == 'C') return word & ~0x1fffu;
    // Adding past the mantissa carries into the exponent: overflow goes to infinity. Infinity has nothing to
    // round.
    const uint32_t half = reading == 'A' ? 0x0fffu + (word >> 13 & 1u) : 0x1000u;
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
