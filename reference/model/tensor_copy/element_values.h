// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "reference/spec/questions.h"
#include "reference/spec/tensor_map.h"

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
    switch (rounding) {
      case Tf32Rounding::none:
        return converted<Tf32Rounding::none>(word);
      case Tf32Rounding::truncated:
        return converted<Tf32Rounding::truncated>(word);
      case Tf32Rounding::nearest_away:
        return converted<Tf32Rounding::nearest_away>(word);
      case Tf32Rounding::nearest_even:
        return converted<Tf32Rounding::nearest_even>(word);
    }
    return word;
  }

  /// Copies, converting every word; bytes is a multiple of 4 unless nothing is converted. The ranges do not
  /// overlap, or are the same.
  void apply(std::byte* to, const std::byte* from, size_t bytes) const {
    if (is_copy()) {
      if (to != from) std::memcpy(to, from, bytes);
      return;
    }
    switch (rounding) {
      case Tf32Rounding::none:
        return apply_all<Tf32Rounding::none>(to, from, bytes);
      case Tf32Rounding::truncated:
        return apply_all<Tf32Rounding::truncated>(to, from, bytes);
      case Tf32Rounding::nearest_away:
        return apply_all<Tf32Rounding::nearest_away>(to, from, bytes);
      case Tf32Rounding::nearest_even:
        return apply_all<Tf32Rounding::nearest_even>(to, from, bytes);
    }
  }

 private:
  template <Tf32Rounding how>
  uint32_t converted(uint32_t word) const {
    const uint32_t magnitude = word & 0x7fffffffu;
    if (flushes_subnormals && magnitude < 0x00800000u) word &= 0x80000000u;
    if constexpr (how == Tf32Rounding::none) return word;
    if constexpr (how == Tf32Rounding::truncated) return word & ~0x1fffu;
    // Adding past the mantissa carries into the exponent: overflow goes to infinity. Infinity has nothing to
    // round.
    const uint32_t half = how == Tf32Rounding::nearest_even ? 0x0fffu + (word >> 13 & 1u) : 0x1000u;
    const uint32_t rounded = (word + half) & ~0x1fffu;
    return magnitude > 0x7f800000u ? 0x7fffe000u : rounded;
  }

  /// Which rounding it is stands outside of the loop, so that words are rounded several at a time.
  template <Tf32Rounding how>
  void apply_all(std::byte* to, const std::byte* from, size_t bytes) const {
    size_t at = 0;
    for (; at + 64 <= bytes; at += 64) {
      uint32_t words[16];
      std::memcpy(words, from + at, 64);
      for (uint32_t& word : words) word = converted<how>(word);
      std::memcpy(to + at, words, 64);
    }
    for (; at < bytes; at += 4) {
      uint32_t word;
      std::memcpy(&word, from + at, 4);
      word = converted<how>(word);
      std::memcpy(to + at, &word, 4);
    }
  }
};

/// Eight bytes of what NaN fill writes for a floating-point type, by the reading of TMA-AMB-05; elements of
/// at most 8 bytes are aligned in them.
inline uint64_t nan_fill(const spec::DataType& type, const spec::Readings& readings) {
  if (readings.is({"TMA-AMB-05", "halves_of_7ff7"})) return 0x7ff77ff77ff77ff7;
  const bool has_ones = readings.is({"TMA-AMB-05", "mantissa_ones"});
  if (type.bits == 64) return has_ones ? 0x7fffffffffffffff : 0x7ff8000000000000;
  if (type.bits == 32) return has_ones ? 0x7fffffff7fffffff : 0x7fc000007fc00000;
  if (has_ones) return 0x7fff7fff7fff7fff;
  return type.name == "f16" ? 0x7e007e007e007e00 : 0x7fc07fc07fc07fc0;
}

}  // namespace assay::model
