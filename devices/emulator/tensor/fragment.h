// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/spec/formats.h"

// Which elements of a matrix the registers of a warp hold, for mma.sync with rows of 16 or 32 bytes and, with
// 16 rows a warp, for wgmma (H200: sections 6 and 10 of the descriptor's measurements; ptx, matrix
// fragments). g = lane / 4, q = lane mod 4.
namespace assay::emulator {

struct FragmentCell {
  uint32_t row, column;
};

/// C and D of 32 bits, m16: register i.
constexpr FragmentCell accumulator_cell(uint32_t lane, uint32_t i) {
  return {lane / 4 + 8 * (i / 2 % 2), 8 * (i / 4) + 2 * (lane % 4) + i % 2};
}
/// C and D of f16, m16: register i, half 0 (low) or 1.
constexpr FragmentCell half_accumulator_cell(uint32_t lane, uint32_t i, uint32_t half) {
  return {lane / 4 + 8 * (i % 2), 8 * (i / 2) + 2 * (lane % 4) + half};
}
/// C and D of 32 bits, m8: register i.
constexpr FragmentCell accumulator_cell_m8(uint32_t lane, uint32_t i) {
  return {lane / 4, 2 * (lane % 4) + i};
}
/// A, m16: register i holds four bytes of the row, from byte `column` on, the lowest first.
constexpr FragmentCell a_bytes(uint32_t lane, uint32_t i) {
  return {lane / 4 + 8 * (i % 2), 4 * (lane % 4) + 16 * (i / 2)};
}
/// B: register i holds four bytes of column `row` of B, from byte `column` on.
constexpr FragmentCell b_bytes(uint32_t lane, uint32_t i) {
  return {lane / 4, 4 * (lane % 4) + 16 * i};
}

/// Element k of a row of little-endian bytes with `bits` (4, 8, 16 or 32) an element.
inline uint32_t row_element(const uint8_t* row, uint32_t bits, uint32_t k) {
  if (bits == 4) return row[k / 2] >> (k % 2 * 4) & 0xfu;
  uint32_t code = 0;
  for (uint32_t i = 0; i < bits / 8; ++i) code |= static_cast<uint32_t>(row[k * (bits / 8) + i]) << (8 * i);
  return code;
}

/// A scale factor of a block-scaled mma.sync: which one, and what the selectors of its matrix say.
struct FragmentScaleRequest {
  bool is_a;
  uint32_t line;   ///< row of A, column of B
  uint32_t block;  ///< of K
  uint32_t byte_id, thread_id;
  bool is_sparse = false;  ///< of mma.sp
};
/// The register that holds it: a byte of the word of one lane.
struct FragmentScale {
  uint32_t lane, byte;
};

/// (cutlass, mma_traits_sm120.hpp: SFALayout, SFBLayout; ptx, block scaling for mma.sync) Of the four lanes
/// of a quad the pair that thread-id-a says has the scales of rows g and g + 8 of A, the lane that
/// thread-id-b says those of column g of B. A word holds the scales of its line from byte-id on.
constexpr FragmentScale fragment_scale(const FragmentScaleRequest& r) {
  const uint32_t quad = 4 * (r.line % 8);
  return {r.is_a ? quad + 2 * r.thread_id + r.line / 8 : quad + r.thread_id, r.byte_id + r.block};
}

// Metadata of a sparse A in the registers of a warp: mma.sp, and each warp of wgmma.sp.

/// One code of 4 bits that is wanted: number `group` of a row of the warp's A.
struct FragmentCode {
  const spec::Format* a = nullptr;
  uint32_t groups = 0;    ///< codes of a row
  uint32_t selector = 0;  ///< of the instruction
  uint32_t row = 0;       ///< 0 to 15
  uint32_t group = 0;
  bool is_wgmma = false;
};
/// A register of a lane is eight codes.
struct FragmentNibble {
  uint32_t lane, nibble;
};
/// Where it lies (H200, section 6; SP-03 and SP-04).
FragmentNibble fragment_nibble(const FragmentCode&);

/// Kept elements of A that a code stands for.
uint32_t kept_of_code(const spec::Format& a);

/// What the kept elements of a row meet of every column of B: columns of k codes. `codes` has one of metadata
/// a group, b columns of 2 * k. Any code names places: of elements, of pairs of 4 bits, or in tf32 of halves
/// of elements (H200, section 6; SP-02).
void meet_row(const spec::Format& a, uint32_t k, const uint32_t* codes, const uint32_t* b, uint32_t columns,
              uint32_t* met);

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
