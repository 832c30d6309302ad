// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/spec/formats.h"

namespace assay::emulator {

/// What the adder sees of an operand or of C: significand * 2^lowest, negated or not.
struct Element {
  spec::ValueClass kind;
  bool negative;
  uint32_t significand;
  int lowest;     ///< exponent of the significand's lowest bit
  int alignment;  ///< exponent with which it counts: of the leading bit; of a subnormal, the format's
                  ///< smallest

  bool is_zero() const { return kind == spec::ValueClass::zero; }
  bool is_nan() const { return kind == spec::ValueClass::nan; }
  bool is_infinite() const { return kind == spec::ValueClass::infinity; }
};

/// Of a floating-point code. Bits above the storage and ignored bits have no influence: a tf32 NaN whose
/// payload lies in the ignored bits is an infinity (H200).
inline Element read_element(const spec::Format& format, uint32_t code) {
  const uint64_t bits = code & format.code_mask();
  const auto exponent =
      static_cast<int>(bits >> (format.ignored_bits + format.mantissa_bits) & format.exponent_mask());
  auto mantissa = static_cast<uint32_t>(bits >> format.ignored_bits & format.mantissa_mask());
  using spec::ValueClass;
  const bool is_all_ones = static_cast<uint64_t>(exponent) == format.exponent_mask();
  const bool is_small = exponent == 0 && format.zero_exponent_is_subnormal;
  ValueClass kind = ValueClass::normal;
  if (is_small) kind = mantissa != 0 ? ValueClass::subnormal : ValueClass::zero;
  // e5m2 and the IEEE types give all codes with the highest exponent away, e4m3 and ue8m0 the highest alone.
  if (is_all_ones && format.has_infinity()) kind = mantissa != 0 ? ValueClass::nan : ValueClass::infinity;
  if (is_all_ones && format.has_nan() && mantissa == format.mantissa_mask()) kind = ValueClass::nan;
  if (!is_small) mantissa |= 1u << format.mantissa_bits;
  const int alignment = is_small ? format.emin() : exponent - format.bias;
  return {kind, (bits & format.sign_bit()) != 0, mantissa, alignment - format.mantissa_bits, alignment};
}

/// Of an integer code.
inline int64_t read_integer(const spec::Format& format, uint32_t code) {
  const int64_t bits = static_cast<int64_t>(code & format.code_mask());
  return format.is_signed() && (bits & static_cast<int64_t>(1) << (format.storage_bits - 1))
             ? bits - (static_cast<int64_t>(1) << format.storage_bits)
             : bits;
}

}  // namespace assay::emulator
