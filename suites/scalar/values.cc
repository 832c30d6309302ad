// SPDX-License-Identifier: Apache-2.0
#include "suites/scalar/program.h"

namespace assay::gen::scalar {
namespace {

uint64_t mask_of(int bits) {
  return bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
}

uint64_t integer(Random& random, int bits) {
  const uint64_t mask = mask_of(bits), top = uint64_t{1} << (bits - 1);
  switch (random.below(7)) {
    case 0:
      return random.below(4);
    case 1:
      return (mask - random.below(4)) & mask;
    case 2:
      return (top - 2 + random.below(4)) & mask;
    case 3:
      return random.below(2 * static_cast<uint32_t>(bits) + 2);  // lengths, shifts, positions
    case 4:
      return ((uint64_t{1} << random.below(static_cast<uint32_t>(bits))) - random.below(2)) & mask;
    case 5:
      return random.next() >> random.below(static_cast<uint32_t>(bits)) & mask;
    default:
      return random.next() & mask;
  }
}

/// A float of `exponent` and `fraction` bits: specials, neighbours of 1 and of the limits, and exponents
/// close enough to each other that sums round.
uint64_t real(Random& random, int exponent, int fraction) {
  const uint64_t sign = uint64_t{random.below(2)} << (exponent + fraction);
  const uint64_t fractions = (uint64_t{1} << fraction) - 1, exponents = (uint64_t{1} << exponent) - 1;
  const uint64_t bias = exponents >> 1;
  const auto edge_of_fraction = [&] {
    switch (random.below(4)) {
      case 0:
        return uint64_t{0};
      case 1:
        return fractions - random.below(3);
      case 2:
        return uint64_t{1} << random.below(static_cast<uint32_t>(fraction));
      default:
        return random.next() & fractions;
    }
  };
  switch (random.below(12)) {
    case 0:
      return sign;  // zero
    case 1:
      return sign | exponents << fraction;  // infinity
    case 2:
      return sign | exponents << fraction | (random.next() & fractions);  // NaN, mostly
    case 3:
      return sign | edge_of_fraction();  // subnormal
    case 4:
      return sign | uint64_t{1 + random.below(2)} << fraction |
             edge_of_fraction();  // smallest normal numbers
    case 5:
      return sign | (exponents - 1 - random.below(2)) << fraction | edge_of_fraction();  // largest
    case 6:
    case 7:
    case 8:
      return sign | (bias - 4 + random.below(9)) << fraction | edge_of_fraction();
    case 9:  // where it meets the integers
      return sign | (bias + random.below(static_cast<uint32_t>(bias < 70 ? bias : 70))) << fraction |
             edge_of_fraction();
    default:
      return sign | random.below64(exponents) << fraction | (random.next() & fractions);
  }
}

uint64_t half(Random& random) {
  return random.one_in(2) ? real(random, 5, 10) : real(random, 8, 7);
}

}  // namespace

uint64_t random_value(Random& random, Family family, int bits) {
  const bool is_integer = family == Family::integer || family == Family::carry || family == Family::logic ||
                          family == Family::convert_integer;
  const uint32_t odds = family == Family::compare ? 2 : 8;
  if (random.one_in(odds) != is_integer) return integer(random, bits);
  if (bits == 16) return half(random);
  if (bits == 64)
    return random.one_in(3) ? real(random, 8, 23) << 32 | real(random, 8, 23) : real(random, 11, 52);
  const bool wants_pair =
      family == Family::half || family == Family::convert_packed ? !random.one_in(4) : random.one_in(4);
  return wants_pair ? half(random) << 16 | half(random) : real(random, 8, 23);
}

}  // namespace assay::gen::scalar
