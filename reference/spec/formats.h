// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reference/spec/field.h"

namespace assay::spec {

/// What codes with every exponent bit set mean.
enum class TopExponent : uint8_t {
  ieee,      ///< infinity when the mantissa is 0, else NaN
  nan_only,  ///< numbers, but for the code with every mantissa bit set too, which is NaN
  number,    ///< numbers like any other
};

/// A format of matrix elements, accumulators or scale factors. A code, from the top of its storage:
///
///   | padding | sign | exponent | mantissa | ignored |
///
/// Integers have no exponent bits: two's complement, or plain when there is no sign.
struct Format {
  std::string_view name;  ///< PTX spelling
  int storage_bits;       ///< of the register or memory cell that holds one code
  int sign_bits, exponent_bits, mantissa_bits, ignored_bits;
  int bias;
  TopExponent top;
  bool zero_exponent_is_subnormal;  ///< false: exponent 0 is a power of two like the others (ue8m0)
  Cite cite;

  constexpr bool is_integer() const { return exponent_bits == 0; }
  constexpr bool is_signed() const { return sign_bits != 0; }
  constexpr int significant_bits() const { return mantissa_bits + 1; }  ///< hidden bit included
  /// Bits that have a meaning, sign included, ignored ones not.
  constexpr int bits() const { return sign_bits + exponent_bits + mantissa_bits; }
  constexpr uint64_t exponent_mask() const { return (uint64_t{1} << exponent_bits) - 1; }
  constexpr uint64_t mantissa_mask() const { return (uint64_t{1} << mantissa_bits) - 1; }
  constexpr uint64_t code_mask() const {
    return storage_bits == 64 ? ~uint64_t{0} : (uint64_t{1} << storage_bits) - 1;
  }
  constexpr uint64_t sign_bit() const {
    return sign_bits == 0 ? 0 : uint64_t{1} << (ignored_bits + mantissa_bits + exponent_bits);
  }
  constexpr uint64_t code(bool negative, uint64_t exponent, uint64_t mantissa) const {
    return (negative ? sign_bit() : 0) | exponent << (ignored_bits + mantissa_bits) |
           mantissa << ignored_bits;
  }
  /// Exponent of the leading bit of the smallest normal number; also the one that subnormals align with.
  constexpr int emin() const { return (zero_exponent_is_subnormal ? 1 : 0) - bias; }
  /// Largest finite positive code.
  constexpr uint64_t max_finite() const {
    if (is_integer()) return mantissa_mask();
    if (top == TopExponent::ieee) return code(false, exponent_mask() - 1, mantissa_mask());
    if (top == TopExponent::number) return code(false, exponent_mask(), mantissa_mask());
    return mantissa_bits == 0 ? code(false, exponent_mask() - 1, 0)
                              : code(false, exponent_mask(), mantissa_mask() - 1);
  }
  constexpr bool has_infinity() const { return top == TopExponent::ieee && !is_integer(); }
  constexpr bool has_nan() const { return top != TopExponent::number && !is_integer(); }
  /// Positive infinity; only where has_infinity().
  constexpr uint64_t infinity() const { return code(false, exponent_mask(), 0); }
  /// The positive NaN with every mantissa bit set, which conversions and tensor cores give.
  constexpr uint64_t canonical_nan() const { return code(false, exponent_mask(), mantissa_mask()); }
};

inline constexpr Cite ieee_cite{"ieee754", "table 3.5, binary interchange formats"};
inline constexpr Cite ptx_types_cite{"ptx", "alternate floating-point data formats"};
inline constexpr Cite ptx_packed_types_cite{"ptx", "packed data types"};

inline constexpr std::array formats{
    // name    storage s  e   m  ign  bias  all-ones exponent      subnormals
    Format{"f64", 64, 1, 11, 52, 0, 1023, TopExponent::ieee, true, ieee_cite},
    Format{"f32", 32, 1, 8, 23, 0, 127, TopExponent::ieee, true, ieee_cite},
    Format{"tf32", 32, 1, 8, 10, 13, 127, TopExponent::ieee, true, ptx_types_cite},
    Format{"f16", 16, 1, 5, 10, 0, 15, TopExponent::ieee, true, ieee_cite},
    Format{"bf16", 16, 1, 8, 7, 0, 127, TopExponent::ieee, true, ptx_types_cite},
    Format{"e5m2", 8, 1, 5, 2, 0, 15, TopExponent::ieee, true, ptx_types_cite},
    Format{"e4m3", 8, 1, 4, 3, 0, 7, TopExponent::nan_only, true, ptx_types_cite},
    Format{"e3m2", 6, 1, 3, 2, 0, 3, TopExponent::number, true, ptx_types_cite},
    Format{"e2m3", 6, 1, 2, 3, 0, 1, TopExponent::number, true, ptx_types_cite},
    Format{"e2m1", 4, 1, 2, 1, 0, 1, TopExponent::number, true, ptx_types_cite},
    Format{"ue8m0", 8, 0, 8, 0, 0, 127, TopExponent::nan_only, false, ptx_types_cite},
    Format{"ue4m3", 8, 0, 4, 3, 0, 7, TopExponent::nan_only, true, ptx_types_cite},
    Format{"s32", 32, 1, 0, 31, 0, 0, TopExponent::number, true, {"ptx", "fundamental types"}},
    Format{"s8", 8, 1, 0, 7, 0, 0, TopExponent::number, true, {"ptx", "fundamental types"}},
    Format{"u8", 8, 0, 0, 8, 0, 0, TopExponent::number, true, {"ptx", "fundamental types"}},
    Format{"s4", 4, 1, 0, 3, 0, 0, TopExponent::number, true, ptx_packed_types_cite},
    Format{"u4", 4, 0, 0, 4, 0, 0, TopExponent::number, true, ptx_packed_types_cite},
};

/// Null for a name that no row has.
constexpr const Format* find_format(std::string_view name) {
  for (const Format& row : formats)
    if (row.name == name) return &row;
  return nullptr;
}
/// By name, at compile time: a misspelt name does not compile.
consteval const Format& format(std::string_view name) {
  // Not through find_format: g++ 12 with the undefined-behaviour sanitizer takes no test of a pointer for
  // constant.
  for (const Format& row : formats)
    if (row.name == name) return row;
  throw "no such format";
}

enum class ValueClass : uint8_t { zero, subnormal, normal, infinity, nan };

/// What a code stands for: (-1)^negative * significand * 2^exponent when finite. The exponent is that of the
/// lowest mantissa bit, so subnormals and the smallest normals share it.
struct Value {
  ValueClass kind = ValueClass::zero;
  bool negative = false;
  uint64_t significand = 0;
  int exponent = 0;

  constexpr bool is_finite() const { return kind != ValueClass::infinity && kind != ValueClass::nan; }
};

/// Bits above the storage, padding and ignored bits have no influence.
Value decode(const Format& format, uint64_t code);
constexpr ValueClass classify_float(const Format& format, uint64_t code) {
  const uint64_t exponent = code >> (format.ignored_bits + format.mantissa_bits) & format.exponent_mask();
  const uint64_t mantissa = code >> format.ignored_bits & format.mantissa_mask();
  if (exponent == format.exponent_mask() && format.top == TopExponent::ieee)
    return mantissa == 0 ? ValueClass::infinity : ValueClass::nan;
  if (exponent == format.exponent_mask() && format.top == TopExponent::nan_only &&
      mantissa == format.mantissa_mask())
    return ValueClass::nan;
  if (exponent != 0 || !format.zero_exponent_is_subnormal) return ValueClass::normal;
  return mantissa == 0 ? ValueClass::zero : ValueClass::subnormal;
}
ValueClass classify(const Format& format, uint64_t code);
/// Exact for every format of this table.
double to_double(const Format& format, uint64_t code);

enum class Rounding : uint8_t { nearest_even, nearest_away, toward_zero, up, down };
enum class Overflow : uint8_t {
  leave,     ///< to infinity; to NaN where there is none; to the largest number where there is neither
  saturate,  ///< to the largest number of the same sign
  ieee,      ///< as rounding says: to the largest number when it points toward zero, else as leave
};

/// An exact number to be written in a format: (-1)^negative * (significand + below) * 2^exponent, where below
/// is 0, or some unknown amount between 0 and 1 when `sticky`.
struct Exact {
  bool negative = false;
  unsigned __int128 significand = 0;
  int exponent = 0;
  bool sticky = false;
};

/// The code nearest in the sense of `rounding`. Zero and results that round to zero keep their sign. Negative
/// numbers become the smallest code of an unsigned format, zero the smallest code of one that has no zero.
/// Integers saturate.
uint64_t encode(const Format& format, const Exact& value, Rounding rounding, Overflow overflow);
/// From one format to another. NaN loses sign and payload, and becomes the largest number where there is
/// none. Infinity overflows.
uint64_t convert(const Format& from, uint64_t code, const Format& to, Rounding rounding, Overflow overflow);

/// Codes where implementations tend to be wrong, each once: zeros, ends of the subnormals and normals and
/// their neighbours, one and its neighbours, powers of two, infinities, several NaN; integers: ends, 0, 1,
/// -1, powers of two.
std::vector<uint64_t> interesting_codes(const Format& format);

/// "1.5", "-0", "nan", "inf": the value as people write it.
std::string show_value(const Format& format, uint64_t code);

}  // namespace assay::spec
