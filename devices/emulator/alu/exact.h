// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "devices/emulator/alu/words.h"

/// Floating-point arithmetic in integers: every result is computed exactly (or with one sticky bit below) and
/// rounded once. It does not depend on the rounding mode or the flush modes of the host thread, and serves
/// every rounding mode and every format; the common cases have faster ways, and tests compare these with it.
namespace assay::emulator::alu {

using Wide = unsigned __int128;

/// A binary format with subnormals, infinities and NaNs in the highest exponent.
struct Format {
  int exponent_bits;
  int fraction_bits;

  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr uint64_t sign() const { return uint64_t{1} << (exponent_bits + fraction_bits); }
  constexpr uint64_t infinity() const { return ((uint64_t{1} << exponent_bits) - 1) << fraction_bits; }
  constexpr uint64_t smallest_normal() const { return uint64_t{1} << fraction_bits; }
  constexpr bool is_nan(uint64_t bits) const { return (bits & (sign() - 1)) > infinity(); }
  constexpr bool is_infinite(uint64_t bits) const { return (bits & (sign() - 1)) == infinity(); }
  /// A subnormal becomes the zero of its sign: what .ftz does to operands and results.
  constexpr uint64_t flushed(uint64_t bits) const { return (bits & infinity()) == 0 ? bits & sign() : bits; }
  constexpr bool operator==(const Format&) const = default;
};
inline constexpr Format f16_format{5, 10}, bf16_format{8, 7}, tf32_format{8, 10}, f32_format{8, 23},
    f64_format{11, 52};

/// (-1)^negative * significand * 2^exponent, or one of the special values. The lowest bit of a significand of
/// more than 64 bits may be sticky: set if the exact value lies strictly between two neighbours.
struct Number {
  enum Kind : uint8_t { zero, finite, infinite, nan } kind = zero;
  bool negative = false;
  int exponent = 0;
  Wide significand = 0;
};

Number unpack(const Format& format, uint64_t bits);

/// The bits of the number in the format, rounded by rn, rz, rm, rp or rna. Beyond the largest finite value it
/// is that or infinity, as IEEE 754 says for the rounding. A NaN gives all bits but the sign set, the
/// canonical NaN of every PTX format up to 32 bits.
uint64_t round(const Format& format, const Number& number, Rounding rounding);

/// The magnitude of a finite number in a format of that bias and fraction, rounded, before any limit on the
/// exponent: whoever knows the largest value of the format compares. Everything from 2^(bias + 2) on is all
/// ones. Under rs, `random` (its top `random_bits` bits against the top of what rounding drops) decides by
/// its carry.
uint64_t rounded_magnitude(int bias, int fraction_bits, const Number& number, Rounding rounding,
                           uint32_t random = 0, int random_bits = 0);

Number negated(Number a);
Number product(const Number& a, const Number& b);
/// The rounding decides the sign of an exact zero.
Number sum(const Number& a, const Number& b, Rounding rounding);
Number quotient(const Number& a, const Number& b);
Number square_root(const Number& a);

/// An integer as a number.
Number from_integer(bool negative, uint64_t magnitude);

/// The number rounded to an integer by rn, rz, rm or rp: its magnitude, capped at 2^127. The number must be
/// finite or zero.
Wide integral_magnitude(const Number& a, Rounding rounding);

}  // namespace assay::emulator::alu
