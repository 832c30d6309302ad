// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "reference/spec/formats.h"

namespace assay::numerics {

/// An integer of any size. Slow and plain: this is what the exact dot product is made of.
class BigInt {
 public:
  BigInt() = default;
  BigInt(int64_t value);  // NOLINT: integers are integers
  static BigInt from(unsigned __int128 magnitude, bool negative);

  bool is_zero() const { return digits_.empty(); }
  bool is_negative() const { return negative_; }
  bool is_odd() const { return !digits_.empty() && (digits_[0] & 1) != 0; }
  /// Bits of the magnitude; 0 for zero.
  int bit_length() const;
  bool bit(int index) const;  ///< of the magnitude
  BigInt operator-() const;
  BigInt shifted_left(int bits) const;
  /// Magnitude shifted, bits dropped, sign kept: division by 2^bits toward zero.
  BigInt shifted_right(int bits) const;
  /// The low 64 bits of the magnitude.
  uint64_t low_word() const;

  friend BigInt operator+(const BigInt& a, const BigInt& b);
  friend BigInt operator*(const BigInt& a, const BigInt& b);
  friend bool operator==(const BigInt& a, const BigInt& b) = default;

 private:
  static int compare_magnitude(const BigInt& a, const BigInt& b);
  static std::vector<uint32_t> add_magnitude(const BigInt& a, const BigInt& b);
  static std::vector<uint32_t> subtract_magnitude(const BigInt& larger, const BigInt& smaller);
  void drop_leading_zeros();

  std::vector<uint32_t> digits_;  ///< least significant first, no leading zeros
  bool negative_ = false;         ///< never set for zero
};

/// A rational number whose denominator is a power of two: significand * 2^exponent, exact.
struct Dyadic {
  BigInt significand;
  int exponent = 0;

  static Dyadic of(const spec::Value& value);
  bool is_zero() const { return significand.is_zero(); }
  bool is_negative() const { return significand.is_negative(); }
  /// floor(log2 |value|); not for zero.
  int leading_exponent() const { return exponent + significand.bit_length() - 1; }
  Dyadic times_power_of_two(int power) const { return {significand, exponent + power}; }
  friend Dyadic operator*(const Dyadic& a, const Dyadic& b) {
    return {a.significand * b.significand, a.exponent + b.exponent};
  }
  friend Dyadic operator+(const Dyadic& a, const Dyadic& b);
  /// The multiple of 2^unit that rounding gives; its exponent is unit.
  Dyadic rounded_to(int unit, spec::Rounding rounding) const;
  /// What spec::encode takes.
  spec::Exact exact() const;
};

}  // namespace assay::numerics
