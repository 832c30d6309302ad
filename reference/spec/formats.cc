// SPDX-License-Identifier: Apache-2.0
#include "reference/spec/formats.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace assay::spec {
namespace {

using Wide = unsigned __int128;

int bit_width(Wide value) {
  const auto high = static_cast<uint64_t>(value >> 64), low = static_cast<uint64_t>(value);
  return high != 0 ? 128 - __builtin_clzll(high) : low != 0 ? 64 - __builtin_clzll(low) : 0;
}

/// significand / 2^shift, rounded to an integer.
Wide round_off(const Exact& value, int shift, Rounding rounding) {
  if (shift <= 0) return value.significand << -shift;
  const bool all_gone = shift > 127;
  const Wide kept = all_gone ? 0 : value.significand >> shift;
  const bool half = shift <= 128 && (value.significand >> (shift - 1) & 1) != 0;
  const Wide below_half = all_gone ? (shift > 128 ? ~Wide{0} : ~Wide{0} >> 1) : (Wide{1} << (shift - 1)) - 1;
  const bool rest = (value.significand & below_half) != 0 || value.sticky;
  bool away = false;
  switch (rounding) {
    case Rounding::nearest_even:
      away = half && (rest || (kept & 1) != 0);
      break;
    case Rounding::nearest_away:
      away = half;
      break;
    case Rounding::toward_zero:
      break;
    case Rounding::up:
      away = !value.negative && (half || rest);
      break;
    case Rounding::down:
      away = value.negative && (half || rest);
      break;
  }
  return kept + (away ? 1 : 0);
}

uint64_t too_large(const Format& format, bool negative, Rounding rounding, Overflow overflow) {
  const bool inward = rounding == Rounding::toward_zero || (rounding == Rounding::up && negative) ||
                      (rounding == Rounding::down && !negative);
  const uint64_t sign = negative ? format.sign_bit() : 0;
  if (overflow == Overflow::saturate || (overflow == Overflow::ieee && inward))
    return format.max_finite() | sign;
  if (format.has_infinity()) return format.infinity() | sign;
  return (format.has_nan() ? format.canonical_nan() : format.max_finite()) | sign;
}

uint64_t encode_integer(const Format& format, const Exact& value, Rounding rounding) {
  const Wide most = Wide{format.mantissa_mask()} + (value.negative && format.is_signed() ? 1 : 0);
  // A shift to the left beyond the word is certainly too large.
  const bool huge = value.exponent > 0 && bit_width(value.significand) + value.exponent > 120;
  const Wide magnitude = huge ? most : std::min(most, round_off(value, -value.exponent, rounding));
  if (!value.negative) return static_cast<uint64_t>(magnitude);
  return format.is_signed() ? (~static_cast<uint64_t>(magnitude) + 1) & format.code_mask() : 0;
}

}  // namespace

Value decode(const Format& format, uint64_t code) {
  Value value;
  if (format.is_integer()) {
    code &= format.code_mask();
    value.negative = (code & format.sign_bit()) != 0;
    value.significand = value.negative ? (~code + 1) & format.code_mask() : code;
    value.kind = value.significand == 0 ? ValueClass::zero : ValueClass::normal;
    return value;
  }
  const uint64_t exponent = code >> (format.ignored_bits + format.mantissa_bits) & format.exponent_mask();
  const bool is_subnormal = exponent == 0 && format.zero_exponent_is_subnormal;
  value.kind = classify_float(format, code);
  value.negative = (code & format.sign_bit()) != 0;
  value.significand = (code >> format.ignored_bits & format.mantissa_mask()) |
                      (is_subnormal ? 0 : uint64_t{1} << format.mantissa_bits);
  value.exponent =
      (is_subnormal ? format.emin() : static_cast<int>(exponent) - format.bias) - format.mantissa_bits;
  if (!value.is_finite()) value.significand = 0, value.exponent = 0;
  return value;
}

ValueClass classify(const Format& format, uint64_t code) {
  return decode(format, code).kind;
}

double to_double(const Format& format, uint64_t code) {
  const Value value = decode(format, code);
  double magnitude = std::ldexp(static_cast<double>(value.significand), value.exponent);
  if (value.kind == ValueClass::infinity) magnitude = std::numeric_limits<double>::infinity();
  if (value.kind == ValueClass::nan) magnitude = std::numeric_limits<double>::quiet_NaN();
  return value.negative ? -magnitude : magnitude;
}

uint64_t encode(const Format& format, const Exact& value, Rounding rounding, Overflow overflow) {
  if (format.is_integer()) return encode_integer(format, value, rounding);
  if (value.negative && !format.is_signed()) return 0;
  const uint64_t sign = value.negative ? format.sign_bit() : 0;
  const int lowest_unit = format.emin() - format.mantissa_bits;
  // Exponent of the lowest bit that can be kept; sticky amounts never carry into the leading bit before this.
  const int unit =
      std::max(bit_width(value.significand) + value.exponent - format.significant_bits(), lowest_unit);
  if (bit_width(value.significand) + value.exponent > 2000)
    return too_large(format, value.negative, rounding, overflow);
  Wide kept = round_off(value, unit - value.exponent, rounding);
  int exponent = unit;
  if (bit_width(kept) > format.significant_bits()) kept >>= 1, ++exponent;
  const bool is_subnormal = bit_width(kept) < format.significant_bits();
  if (is_subnormal && !format.zero_exponent_is_subnormal) return sign;
  const auto mantissa = static_cast<uint64_t>(kept) & format.mantissa_mask();
  const int field = is_subnormal ? 0 : exponent + format.mantissa_bits + format.bias;
  const uint64_t magnitude = field > static_cast<int>(format.exponent_mask())
                                 ? ~uint64_t{0}
                                 : format.code(false, static_cast<uint64_t>(field), mantissa);
  if (magnitude > format.max_finite()) return too_large(format, value.negative, rounding, overflow);
  return magnitude | sign;
}

uint64_t convert(const Format& from, uint64_t code, const Format& to, Rounding rounding, Overflow overflow) {
  const Value value = decode(from, code);
  if (value.kind == ValueClass::nan) return to.has_nan() ? to.canonical_nan() : to.max_finite();
  if (value.kind == ValueClass::infinity) {
    if (to.is_integer()) return encode(to, {value.negative, 1, 200}, rounding, overflow);
    return too_large(to, value.negative, Rounding::nearest_even, overflow);
  }
  return encode(to, {value.negative, value.significand, value.exponent}, rounding, overflow);
}

std::vector<uint64_t> interesting_codes(const Format& format) {
  std::vector<uint64_t> codes;
  const auto both_signs = [&](uint64_t magnitude) {
    codes.push_back(magnitude);
    if (format.is_integer() && format.is_signed()) codes.push_back((~magnitude + 1) & format.code_mask());
    if (!format.is_integer() && format.is_signed()) codes.push_back(magnitude | format.sign_bit());
  };
  both_signs(0);
  if (format.is_integer()) {
    for (int bit = 0; bit < format.mantissa_bits; ++bit) {
      both_signs(uint64_t{1} << bit);
      both_signs((uint64_t{1} << bit) - 1);
    }
    both_signs(format.max_finite());
    if (format.is_signed()) codes.push_back(format.sign_bit());
  } else {
    const uint64_t ulp = uint64_t{1} << format.ignored_bits;
    const uint64_t top = format.exponent_mask(), mantissa = format.mantissa_mask();
    const auto one = static_cast<uint64_t>(format.bias);
    both_signs(ulp);                              // smallest subnormal
    both_signs(format.code(false, 0, mantissa));  // largest subnormal
    both_signs(format.code(false, 1, 0));         // smallest normal
    both_signs(format.code(false, 1, mantissa & 1));
    both_signs(format.code(false, one, 0));
    both_signs(format.code(false, one, mantissa & 1));
    both_signs(format.code(false, one, 0) - ulp);
    for (uint64_t exponent = 1; exponent < top; exponent = exponent * 2 + 1) {
      both_signs(format.code(false, exponent, 0));
      both_signs(format.code(false, top - exponent, mantissa));
    }
    both_signs(format.max_finite());
    both_signs(format.max_finite() - ulp);
    if (format.has_infinity()) both_signs(format.infinity());
    if (format.has_infinity()) both_signs(format.infinity() + ulp);  // signalling NaN with the least payload
    if (format.has_infinity()) both_signs(format.code(false, top, uint64_t{1} << (format.mantissa_bits - 1)));
    if (format.has_nan()) both_signs(format.canonical_nan());
    if (format.ignored_bits > 0) {
      both_signs(format.infinity() | (ulp - 1));  // a NaN whose payload lies in ignored bits
      both_signs(ulp - 1);                        // all of the value lies in ignored bits
    }
  }
  for (uint64_t& code : codes) code &= format.code_mask();
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  return codes;
}

std::string show_value(const Format& format, uint64_t code) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", to_double(format, code));
  double read_back = 0;
  for (int digits = 1; digits <= 17; ++digits) {
    char shorter[40];
    std::snprintf(shorter, sizeof shorter, "%.*g", digits, to_double(format, code));
    if (std::sscanf(shorter, "%lf", &read_back) == 1 && read_back == to_double(format, code)) return shorter;
  }
  return classify(format, code) == ValueClass::nan ? "nan" : text;
}

}  // namespace assay::spec
