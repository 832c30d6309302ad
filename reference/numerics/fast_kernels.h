// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "reference/spec/formats.h"

namespace assay::numerics {

/// Columns are padded to a multiple of this many, so that no loop has a tail.
inline constexpr int column_padding = 32;
inline constexpr int chain_columns = 8;
/// Exponent of an operand that is zero: no sum with it is mistaken for that of a product.
inline constexpr int16_t no_exponent = -8000;
inline constexpr int32_t live_limit = -6000;  ///< sums of exponents below this belong to zero products

/// Products in float are scaled by no less: any product below 2^40 is cut to 0 by it, and none becomes
/// subnormal, which processors handle slowly.
inline constexpr int lowest_float_shift = -60;

/// How a row of D starts and ends: the type of D, the adder, what to do with zeros.
struct RowRules {
  int kept_bits;
  int floor_exponent;
  spec::Rounding term_rounding, result_rounding;
  int result_bits;
  int emin;       ///< of D
  bool d_is_f16;  ///< else f32
  bool underflow_keeps_sign, all_minus_zero_gives_minus_zero;
  int scale_input_d;
  uint32_t nan;
};

/// One row of D, `n` padded columns. Arrays of `n`.
struct Row {
  int n;
  const int16_t* product_exponent;  ///< largest over k
  const int32_t* scale_exponent;    ///< sum of both scales' exponents, or null
  const uint32_t* c;
  float* c_value;
  int32_t* alignment;   ///< E
  int32_t* shift;       ///< products are multiplied by 2^shift before they are cut
  double* sum;          ///< of the cut products, in units of 2^(E - kept_bits)
  const double* plain;  ///< IEEE sum of everything, specials included, or null
  uint32_t* d;
};

/// Scales of a group's products: of the row, and arrays of `n` of the columns. Those that are zero or NaN are
/// 0.
struct GroupScales {
  int n;
  double row;
  int32_t row_exponent;
  const double* column;
  const int32_t* column_exponent;
};

/// How codes of a format of at most 32 bits become numbers.
struct DecodeRules {
  bool is_integer, is_signed;
  int storage_bits;
  int to_mantissa, mantissa_bits;  ///< the exponent lies above
  uint32_t mantissa_mask, exponent_mask, sign_bit;
  int bias;
  bool zero_exponent_is_subnormal;
  bool has_specials,
      has_infinity;  ///< no numbers: all codes of the largest exponent, or that of all ones alone
  bool subnormals_align_at_emin;  ///< else with the exponent of their leading bit
  int16_t zero_exponent;          ///< that zeros align with
};
/// Where decoded numbers go: `value32` and `value64` with 0 for what is no number, `plain` and
/// `plain32` with all. Null: not wanted.
struct DecodedTo {
  float* value32;
  double* value64;
  double* plain;
  float* plain32;
  int16_t* exponent;  ///< that each aligns with
};

/// Where the fields of a code lie, and the exponent field that stands for no number: above all of them where
/// there is none.
struct CodeFields {
  uint32_t mantissa_mask, exponent_mask, no_number;
  int to_mantissa, to_exponent;  ///< shifts
  int mantissa_bits() const { return to_exponent - to_mantissa; }
};
/// Of codes in any order. Those count that are finite and not zero, without sign and ignored bits.
struct CodeSurvey {
  uint32_t all = 0;                    ///< bits that are set in any code, whatever it is
  uint32_t counted = 0;                ///< the same of those that count
  uint32_t highest = 0, lowest = ~0u;  ///< of those that count, as integers
  bool has_infinity = false;           ///< no number, and the mantissa is 0
};
/// Which kinds of numbers codes of D have among them.
struct CodeKinds {
  bool zero = false, infinity = false, nan = false;
};

/// The loops, once per vector instruction set. Row i of b, n long, begins at b + at[i]; of eb too.
struct Kernels {
  std::string_view target;
  /// n: a multiple of column_padding. True when some code is no number.
  bool (*decode)(const DecodeRules& rules, const uint32_t* codes, int n, const DecodedTo& to);
  /// Of f16 or f32, exact, specials included.
  void (*widen)(const uint32_t* codes, bool are_f16, int n, double* values);
  void (*max_exponents)(const int16_t* ea, const int16_t* eb, const size_t* at, int k, int n,
                        int16_t* largest);
  /// alignment, shift and c_value from the exponents and c. True when some c is not finite.
  bool (*prepare)(const RowRules& rules, const Row& row);
  /// The sum of products exact in float, cut toward zero below 2^27, so that 16 of them fit in 32 bits. k >
  /// 0.
  void (*sum_float)(const float* a, const float* b, const size_t* at, int k, int n, const int32_t* shift,
                    double* sum);
  void (*sum_double)(const double* a, const double* b, const size_t* at, int k, int n, const int32_t* shift,
                     spec::Rounding rounding, double* sum);
  /// d = c + the sum of products of integers of at most 8 bits, k up to 4096, wrapped or clamped.
  void (*sum_integers)(const float* a, const float* b, const size_t* at, int k, int n, const uint32_t* c,
                       bool saturates, uint32_t* d);
  /// d = d + c of f16 or f32, to nearest even as IEEE says but for the NaN.
  void (*add_f16)(const uint32_t* c, int n, uint32_t nan, uint32_t* d);
  void (*add_f32)(const uint32_t* c, int n, uint32_t nan, uint32_t* d);
  /// sum += a * b without any cutting.
  void (*sum_plain)(const double* a, const double* b, const size_t* at, int k, int n, double* sum);
  /// The same of operands whose products are exact in float, where only infinities, NaN and the sign of zero
  /// count.
  void (*sum_plain_float)(const float* a, const float* b, const size_t* at, int k, int n, double* sum);
  /// largest: max with the exponents of scales where a product counts, exponent being that of the largest,
  /// and in the first so many columns also where none does.
  void (*group_exponents)(const GroupScales& scales, const int16_t* exponent, int zero_columns,
                          int16_t* largest);
  /// sum += the scaled sum of a group's products, times 2^shift and then cut.
  void (*add_group)(const GroupScales& scales, const double* products, const int32_t* shift,
                    spec::Rounding rounding, double* sum);
  void (*finish)(const RowRules& rules, const Row& row);
  /// Scheme::chain on f64: d of n columns is c and, k after k, a[k] * row k of b (n long) fused. nan: where
  /// no operand is one. n: a multiple of chain_columns.
  void (*chain)(const double* a, const double* b, const double* c, int k, int n, double nan, double* d);
  CodeSurvey (*survey)(const CodeFields& fields, std::span<const uint32_t> codes);
  /// magnitude: the bits without the sign; infinity: a code.
  CodeKinds (*kinds)(uint32_t magnitude, uint32_t infinity, std::span<const uint32_t> codes);
};

/// Best instruction set first; the last one runs anywhere.
std::span<const Kernels> kernels_of_this_processor();

}  // namespace assay::numerics
