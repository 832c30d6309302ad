// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "generators/random.h"
#include "reference/model/warp_mma/case.h"

/// What matrices are filled with: mixes of bits in which rules of an adder show.
namespace assay::gen {

/// Of floating point.
enum class FloatMix : uint8_t {
  bits,          ///< uniform bits, NaN and infinities as often as they come
  finite,        ///< uniform bits but one of the exponent
  narrow,        ///< exponents within a factor of 8
  spread,        ///< terms around the bits that alignment cuts
  cancelling,    ///< pairs that cancel, exactly or but for the last bit
  small,         ///< results around the smallest of D
  subnormal,     ///< subnormal operands
  large,         ///< results around the largest of D
  specials,      ///< NaN, infinities, zeros strewn in
  zeros,         ///< many zeros
  few_bits,      ///< powers of two and their halves: ties
  full_mantissa  ///< the largest mantissas
};
inline constexpr int float_mix_count = 12;
/// Of integers.
enum class IntegerMix : uint8_t { bits, small, extremes, zeros, near_limits };
inline constexpr int integer_mix_count = 5;

int mix_count(const MmaTypes& types);
std::string_view mix_name(const MmaTypes& types, int mix);

struct OperandPatterns {
  OperandPattern a, b, c;
};
/// Whether neighbouring elements of a word (neighbouring words of 32-bit elements) of A and of B are the same
/// pairs of k.
struct Pairing {
  bool a_along_k = true, b_along_k = true;
};
OperandPatterns make_patterns(const MmaTypes& types, int mix, const Pairing& pairing, Random& random);

/// Values and sums that every format keeps exactly, so that nothing but the place of an element can go wrong:
/// 2, 3, 4 and 6 with signs, integers any.
OperandPatterns make_exact_patterns(const MmaTypes& types, Random& random);

}  // namespace assay::gen
