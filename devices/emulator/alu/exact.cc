// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/alu/exact.h"

#include <bit>

namespace assay::emulator::alu {
namespace {

int highest_bit(Wide value) {
  const auto high = static_cast<uint64_t>(value >> 64);
  return high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(static_cast<uint64_t>(value));
}

/// value * 2^-count, its lowest bit set if any bit fell off.
Wide shift_right_sticky(Wide value, int count) {
  if (count <= 0) return value;
  if (count >= 128) return value != 0;
  const Wide lost = value & ((Wide{1} << count) - 1);
  return value >> count | Wide{lost != 0};
}

/// value * 2^-count rounded to an integer; count > 0.
Wide shift_right_rounded(Wide value, int count, bool negative, Rounding rounding) {
  const Wide kept = count >= 128 ? 0 : value >> count;
  // Below: -1 less than half of the last place, 0 half, 1 more; exact when nothing fell off.
  const Wide lost = count >= 128 ? value : value & ((Wide{1} << count) - 1);
  if (lost == 0) return kept;
  int against_half = -1;
  if (count <= 128) {
    const Wide half = Wide{1} << (count - 1);
    against_half = lost > half ? 1 : lost == half ? 0 : -1;
  }
  bool up = false;
  switch (rounding) {
    case Rounding::rz:
      break;
    case Rounding::rm:
      up = negative;
      break;
    case Rounding::rp:
      up = !negative;
      break;
    case Rounding::rna:
      up = against_half >= 0;
      break;
    default:
      up = against_half > 0 || (against_half == 0 && (kept & 1) != 0);
      break;
  }
  return kept + up;
}

/// value * 2^-count, one more if the random bits added to the dropped ones carry; value < 2^64.
Wide shift_right_random(Wide value, int count, uint32_t random, int random_bits) {
  if (count >= 96) return 0;
  const Wide dropped = value & ((Wide{1} << count) - 1);
  const Wide aligned =
      count >= random_bits ? Wide{random} << (count - random_bits) : random >> (random_bits - count);
  return (value >> count) + ((dropped + aligned) >> count);
}

Number special(Number::Kind kind, bool negative = false) {
  Number number;
  number.kind = kind;
  number.negative = negative;
  return number;
}

/// The same value with the highest bit of the significand at `bit`, which may not be below where it is.
Number raised(Number a, int bit) {
  const int by = bit - highest_bit(a.significand);
  a.significand <<= by;
  a.exponent -= by;
  return a;
}

}  // namespace

Number unpack(const Format& format, uint64_t bits) {
  const bool negative = (bits & format.sign()) != 0;
  const uint64_t fraction = bits & (format.smallest_normal() - 1);
  const auto exponent = static_cast<int>((bits & format.infinity()) >> format.fraction_bits);
  if (format.is_nan(bits)) return special(Number::nan, negative);
  if (format.is_infinite(bits)) return special(Number::infinite, negative);
  if (exponent == 0 && fraction == 0) return special(Number::zero, negative);
  const int lowest = 1 - format.bias() - format.fraction_bits;
  if (exponent == 0) return {Number::finite, negative, lowest, fraction};
  return {Number::finite, negative, lowest + exponent - 1, fraction | format.smallest_normal()};
}

uint64_t rounded_magnitude(int bias, int fraction_bits, const Number& number, Rounding rounding,
                           uint32_t random, int random_bits) {
  if (number.kind == Number::zero || number.significand == 0) return 0;
  const int top = number.exponent + highest_bit(number.significand);
  if (top > bias + 1) return ~uint64_t{0};
  const int lowest_normal = 1 - bias;
  const int unit = (top > lowest_normal ? top : lowest_normal) - fraction_bits;
  const int count = unit - number.exponent;
  Wide significand;
  if (count <= 0)
    significand = number.significand << -count;
  else if (rounding == Rounding::rs)
    significand = shift_right_random(number.significand, count, random, random_bits);
  else
    significand = shift_right_rounded(number.significand, count, number.negative, rounding);
  // The leading bit of a normal significand adds one to the exponent field below it; so does the carry of a
  // rounding.
  const uint64_t below = top >= lowest_normal ? static_cast<uint64_t>(top - lowest_normal) : 0;
  return (below << fraction_bits) + static_cast<uint64_t>(significand);
}

uint64_t round(const Format& format, const Number& number, Rounding rounding) {
  const uint64_t sign = number.negative ? format.sign() : 0;
  if (number.kind == Number::nan) return format.sign() - 1;
  if (number.kind == Number::infinite) return sign | format.infinity();
  const uint64_t magnitude = rounded_magnitude(format.bias(), format.fraction_bits, number, rounding);
  if (magnitude < format.infinity()) return sign | magnitude;
  const bool to_largest = rounding == Rounding::rz || (rounding == Rounding::rm && !number.negative) ||
                          (rounding == Rounding::rp && number.negative);
  return sign | (to_largest ? format.infinity() - 1 : format.infinity());
}

Number negated(Number a) {
  a.negative = !a.negative;
  return a;
}

Number product(const Number& a, const Number& b) {
  const bool negative = a.negative != b.negative;
  if (a.kind == Number::nan || b.kind == Number::nan) return special(Number::nan);
  if (a.kind == Number::infinite || b.kind == Number::infinite)
    return special(a.kind == Number::zero || b.kind == Number::zero ? Number::nan : Number::infinite,
                   negative);
  if (a.kind == Number::zero || b.kind == Number::zero) return special(Number::zero, negative);
  return {Number::finite, negative, a.exponent + b.exponent, a.significand * b.significand};
}

Number sum(const Number& a, const Number& b, Rounding rounding) {
  if (a.kind == Number::nan || b.kind == Number::nan) return special(Number::nan);
  if (a.kind == Number::infinite)
    return b.kind == Number::infinite && a.negative != b.negative ? special(Number::nan) : a;
  if (b.kind == Number::infinite) return b;
  const bool zero_sign = rounding == Rounding::rm;
  if (a.kind == Number::zero && b.kind == Number::zero)
    return a.negative == b.negative ? a : special(Number::zero, zero_sign);
  if (a.kind == Number::zero) return b;
  if (b.kind == Number::zero) return a;

  // Both as high as they go with room for a carry. Operands have at most 106 bits, so the larger one keeps
  // zeros below, and a sticky bit of the smaller one makes the result odd: rounding once more is then exact.
  Number large = raised(a, 125), small = raised(b, 125);
  if (large.exponent < small.exponent ||
      (large.exponent == small.exponent && large.significand < small.significand))
    std::swap(large, small);
  const Wide aligned = shift_right_sticky(small.significand, large.exponent - small.exponent);
  if (large.negative == small.negative) {
    large.significand += aligned;
  } else {
    large.significand -= aligned;
    if (large.significand == 0) return special(Number::zero, zero_sign);
  }
  return large;
}

Number quotient(const Number& a, const Number& b) {
  const bool negative = a.negative != b.negative;
  if (a.kind == Number::nan || b.kind == Number::nan) return special(Number::nan);
  if (a.kind == Number::infinite)
    return special(b.kind == Number::infinite ? Number::nan : Number::infinite, negative);
  if (b.kind == Number::infinite) return special(Number::zero, negative);
  if (b.kind == Number::zero)
    return special(a.kind == Number::zero ? Number::nan : Number::infinite, negative);
  if (a.kind == Number::zero) return special(Number::zero, negative);
  const Number high = raised(a, 126);
  const Wide whole = high.significand / b.significand, rest = high.significand % b.significand;
  return {Number::finite, negative, high.exponent - b.exponent, whole | Wide{rest != 0}};
}

Number square_root(const Number& a) {
  if (a.kind == Number::nan || a.kind == Number::zero) return a;
  if (a.negative) return special(Number::nan);
  if (a.kind == Number::infinite) return a;
  Number high = raised(a, 126);
  if (high.exponent % 2 != 0) {
    high.significand >>= 1;  // its lowest bits are zero
    ++high.exponent;
  }
  // Digit by digit: root^2 <= significand < (root + 1)^2.
  Wide rest = high.significand, root = 0;
  for (int bit = 63; bit >= 0; --bit) {
    const Wide tried = (root << (bit + 1)) + (Wide{1} << (2 * bit));
    if (tried <= rest) {
      rest -= tried;
      root += Wide{1} << bit;
    }
  }
  // One more bit below makes room for the sticky one.
  return {Number::finite, false, high.exponent / 2 - 1, root << 1 | Wide{rest != 0}};
}

Number from_integer(bool negative, uint64_t magnitude) {
  if (magnitude == 0) return {};
  return {Number::finite, negative, 0, magnitude};
}

Wide integral_magnitude(const Number& a, Rounding rounding) {
  constexpr Wide cap = Wide{1} << 127;
  if (a.kind == Number::zero) return 0;
  if (a.exponent >= 0)
    return highest_bit(a.significand) + a.exponent >= 127 ? cap : a.significand << a.exponent;
  return shift_right_rounded(a.significand, -a.exponent, a.negative, rounding);
}

}  // namespace assay::emulator::alu
