// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "devices/emulator/tensor/adder.h"

// Operands of sum_block_fast(): codes as floats and exponents, eight at a time.
namespace assay::emulator::fast_sum {

inline constexpr uint32_t width = 8;
typedef float Floats __attribute__((vector_size(4 * width)));
typedef int32_t Ints __attribute__((vector_size(4 * width)));

/// Alignment of a zero: below every sum with one of a number.
inline constexpr int32_t no_exponent = -4096;

/// Per row of A or column of B: a bit for every k with a code of that kind.
struct Kinds {
  uint64_t nan = 0, infinite = 0, zero = 0, negative = 0;
  bool is_special() const { return (nan | infinite) != 0; }
};

/// One operand: significands with sign, and exponents that they are still to be multiplied by; of a narrow
/// product the values themselves, and the exponents that they count with.
struct Prepared {
  std::vector<float> significand;
  std::vector<int32_t> exponent;
  bool has_special;          ///< a code or a scale that is not finite
  std::vector<Kinds> kinds;  ///< by row; empty where neither operand has something special
  bool is_special(uint32_t row) const { return !kinds.empty() && kinds[row].is_special(); }
};

inline constexpr float power_of_two(int exponent) {
  return std::bit_cast<float>(static_cast<uint32_t>(exponent + 127) << 23);
}

/// 2^exponent, and 0 below the normal numbers. No vector is passed by value: it would have another place for
/// each kind of processor.
__attribute__((always_inline)) inline void powers_of_two(const Ints& exponent, Floats& power) {
  const Ints field = exponent + 127;
  power = (Floats)((field > 0 ? field : 0) << 23);
}

/// True where some lane is not 0.
__attribute__((always_inline)) inline bool any_lane(const Ints& lanes) {
  uint64_t words[width / 2];
  std::memcpy(words, &lanes, sizeof words);
  return (words[0] | words[1] | words[2] | words[3]) != 0;
}

/// One matrix and its scales, none: null.
struct Matrix {
  const spec::Format& format;
  const uint32_t* codes;
  uint32_t rows, k;
  bool negate;
  const int32_t* scales;
  uint32_t scale_block;
  /// Eight rows lie together, k after k.
  bool is_by_columns;
  size_t at(uint32_t row, uint32_t i) const {
    return is_by_columns ? (static_cast<size_t>(row / width) * k + i) * width + row % width
                         : static_cast<size_t>(row) * k + i;
  }
  uint32_t scale_blocks() const { return scales == nullptr ? 0 : k / scale_block; }
  int32_t scale(uint32_t row, uint32_t block) const {
    return scales[static_cast<size_t>(row) * scale_blocks() + block];
  }
};

/// Fills in all but the kinds.
void prepare(const Matrix& matrix, bool is_narrow, Prepared& out);

/// Fills in the kinds.
void find_kinds(const Matrix& matrix, Prepared& out);

}  // namespace assay::emulator::fast_sum
