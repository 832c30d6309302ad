// SPDX-License-Identifier: Apache-2.0
#include "reference/numerics/dyadic.h"

#include <algorithm>

namespace assay::numerics {

BigInt::BigInt(int64_t value)
    : BigInt(from(value < 0 ? -static_cast<unsigned __int128>(value) : static_cast<unsigned __int128>(value),
                  value < 0)) {}

BigInt BigInt::from(unsigned __int128 magnitude, bool negative) {
  BigInt result;
  result.negative_ = negative && magnitude != 0;
  for (; magnitude != 0; magnitude >>= 32) result.digits_.push_back(static_cast<uint32_t>(magnitude));
  return result;
}

int BigInt::bit_length() const {
  return digits_.empty() ? 0 : static_cast<int>(digits_.size()) * 32 - __builtin_clz(digits_.back());
}

bool BigInt::bit(int index) const {
  const auto digit = static_cast<size_t>(index / 32);
  return digit < digits_.size() && (digits_[digit] >> (index % 32) & 1) != 0;
}

BigInt BigInt::operator-() const {
  BigInt result = *this;
  result.negative_ = !negative_ && !is_zero();
  return result;
}

BigInt BigInt::shifted_left(int bits) const {
  BigInt result;
  if (is_zero()) return result;
  result.negative_ = negative_;
  result.digits_.assign(static_cast<size_t>(bits / 32), 0);
  uint64_t carry = 0;
  for (const uint32_t digit : digits_) {
    carry |= static_cast<uint64_t>(digit) << (bits % 32);
    result.digits_.push_back(static_cast<uint32_t>(carry));
    carry >>= 32;
  }
  result.digits_.push_back(static_cast<uint32_t>(carry));
  result.drop_leading_zeros();
  return result;
}

BigInt BigInt::shifted_right(int bits) const {
  BigInt result;
  const auto first = static_cast<size_t>(bits / 32);
  if (first >= digits_.size()) return result;
  result.negative_ = negative_;
  for (size_t i = first; i < digits_.size(); ++i) {
    const uint64_t pair =
        digits_[i] | (i + 1 < digits_.size() ? static_cast<uint64_t>(digits_[i + 1]) << 32 : 0);
    result.digits_.push_back(static_cast<uint32_t>(pair >> (bits % 32)));
  }
  result.drop_leading_zeros();
  return result;
}

uint64_t BigInt::low_word() const {
  return (digits_.empty() ? 0 : digits_[0]) |
         (digits_.size() < 2 ? 0 : static_cast<uint64_t>(digits_[1]) << 32);
}

int BigInt::compare_magnitude(const BigInt& a, const BigInt& b) {
  if (a.digits_.size() != b.digits_.size()) return a.digits_.size() < b.digits_.size() ? -1 : 1;
  for (size_t i = a.digits_.size(); i-- > 0;)
    if (a.digits_[i] != b.digits_[i]) return a.digits_[i] < b.digits_[i] ? -1 : 1;
  return 0;
}

std::vector<uint32_t> BigInt::add_magnitude(const BigInt& a, const BigInt& b) {
  std::vector<uint32_t> sum;
  uint64_t carry = 0;
  for (size_t i = 0; i < std::max(a.digits_.size(), b.digits_.size()) || carry != 0; ++i) {
    if (i < a.digits_.size()) carry += a.digits_[i];
    if (i < b.digits_.size()) carry += b.digits_[i];
    sum.push_back(static_cast<uint32_t>(carry));
    carry >>= 32;
  }
  return sum;
}

std::vector<uint32_t> BigInt::subtract_magnitude(const BigInt& larger, const BigInt& smaller) {
  std::vector<uint32_t> difference;
  int64_t borrow = 0;
  for (size_t i = 0; i < larger.digits_.size(); ++i) {
    int64_t digit =
        int64_t{larger.digits_[i]} - borrow - (i < smaller.digits_.size() ? smaller.digits_[i] : 0);
    borrow = digit < 0 ? 1 : 0;
    difference.push_back(static_cast<uint32_t>(digit + (borrow << 32)));
  }
  return difference;
}

void BigInt::drop_leading_zeros() {
  while (!digits_.empty() && digits_.back() == 0) digits_.pop_back();
  if (digits_.empty()) negative_ = false;
}

BigInt operator+(const BigInt& a, const BigInt& b) {
  BigInt result;
  if (a.negative_ == b.negative_) {
    result.digits_ = BigInt::add_magnitude(a, b);
    result.negative_ = a.negative_;
  } else {
    const bool a_is_larger = BigInt::compare_magnitude(a, b) >= 0;
    result.digits_ = a_is_larger ? BigInt::subtract_magnitude(a, b) : BigInt::subtract_magnitude(b, a);
    result.negative_ = a_is_larger ? a.negative_ : b.negative_;
  }
  result.drop_leading_zeros();
  return result;
}

BigInt operator*(const BigInt& a, const BigInt& b) {
  BigInt result;
  result.digits_.assign(a.digits_.size() + b.digits_.size(), 0);
  for (size_t i = 0; i < a.digits_.size(); ++i) {
    uint64_t carry = 0;
    for (size_t j = 0; j < b.digits_.size() || carry != 0; ++j) {
      carry += result.digits_[i + j];
      if (j < b.digits_.size()) carry += static_cast<uint64_t>(a.digits_[i]) * b.digits_[j];
      result.digits_[i + j] = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
  }
  result.negative_ = a.negative_ != b.negative_;
  result.drop_leading_zeros();
  return result;
}

Dyadic Dyadic::of(const spec::Value& value) {
  return {BigInt::from(value.significand, value.negative), value.exponent};
}

Dyadic operator+(const Dyadic& a, const Dyadic& b) {
  const int unit = std::min(a.exponent, b.exponent);
  return {a.significand.shifted_left(a.exponent - unit) + b.significand.shifted_left(b.exponent - unit),
          unit};
}

Dyadic Dyadic::rounded_to(int unit, spec::Rounding rounding) const {
  if (exponent >= unit) return {significand.shifted_left(exponent - unit), unit};
  const int dropped = unit - exponent;
  BigInt kept = significand.shifted_right(dropped);
  const Dyadic rest = *this + Dyadic{-kept, unit};
  const BigInt toward_infinity = is_negative() ? BigInt(-1) : BigInt(1);
  // Twice the rest against one unit: where the value lies between its two neighbours.
  const bool any = !rest.is_zero();
  const bool at_least_half = any && rest.leading_exponent() == unit - 1;
  const bool exactly_half = at_least_half && rest.significand.bit_length() > 0 &&
                            (rest + Dyadic{-toward_infinity, unit - 1}).is_zero();
  bool away = false;
  switch (rounding) {
    case spec::Rounding::toward_zero:
      break;
    case spec::Rounding::nearest_even:
      away = exactly_half ? kept.is_odd() : at_least_half;
      break;
    case spec::Rounding::nearest_away:
      away = at_least_half;
      break;
    case spec::Rounding::up:
      away = any && !is_negative();
      break;
    case spec::Rounding::down:
      away = any && is_negative();
      break;
  }
  return {away ? kept + toward_infinity : kept, unit};
}

spec::Exact Dyadic::exact() const {
  const int drop = std::max(0, significand.bit_length() - 120);
  const BigInt top = significand.shifted_right(drop);
  spec::Exact result{is_negative(), 0, exponent + drop};
  result.significand =
      static_cast<unsigned __int128>(top.shifted_right(64).low_word()) << 64 | top.low_word();
  for (int i = 0; i < drop; ++i) result.sticky = result.sticky || significand.bit(i);
  return result;
}

}  // namespace assay::numerics
