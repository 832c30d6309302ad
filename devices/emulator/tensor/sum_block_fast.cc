// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstring>

#include "devices/emulator/tensor/adder.h"
#include "devices/emulator/tensor/fast_sum_operand.h"
#include "devices/emulator/tensor/fragment.h"

// Eight columns at a time, in floats. A product of significands is exact there, and so is its product with a
// power of two, but where it is so small that it counts nothing; the conversion to an integer is the
// truncation. Sixteen terms below 2^(F + 2) fit 32 bits for every format with at most ten bits of mantissa.
namespace assay::emulator {
namespace fast_sum {
namespace {

using spec::Format;

constexpr uint32_t most_k = 32, half_k = 16;
// Half as many of twice the size.
typedef int32_t HalfInts __attribute__((vector_size(2 * width)));
typedef float HalfFloats __attribute__((vector_size(2 * width)));
typedef double Doubles __attribute__((vector_size(4 * width)));
typedef int64_t Longs __attribute__((vector_size(4 * width)));
typedef uint64_t UnsignedLongs __attribute__((vector_size(4 * width)));

/// Those of the codes that a row meets, at the k at which it does.
Kinds kinds_met(const Kinds& all, const uint16_t* met, uint32_t k) {
  Kinds kinds;
  for (uint32_t i = 0; i < k; ++i) {
    kinds.nan |= (all.nan >> met[i] & 1) << i;
    kinds.infinite |= (all.infinite >> met[i] & 1) << i;
    kinds.zero |= (all.zero >> met[i] & 1) << i;
    kinds.negative |= (all.negative >> met[i] & 1) << i;
  }
  return kinds;
}

/// What eight columns of a row come to: E, and the integer sums of k below and from sixteen.
struct Sums {
  int32_t largest[width], low[width], high[width];
};

/// Significands and exponents of eight columns, k after k.
struct Columns {
  Floats significand[most_k];
  Ints exponent[most_k];
};

/// `sums.largest` brings the exponent of C, or the lowest one, and leaves with E.
__attribute__((always_inline)) inline void sum_columns(const float* a, const int32_t* a_exponent,
                                                       const Columns& columns, uint32_t k, bool is_narrow,
                                                       int32_t kept_bits, Sums& sums) {
  Ints largest;
  std::memcpy(&largest, sums.largest, sizeof largest);
  for (uint32_t i = 0; i < k; ++i) {
    const Ints exponent = columns.exponent[i] + a_exponent[i];
    largest = exponent > largest ? exponent : largest;
  }
  // A term that is multiplied by 0 is below 1. Where the unit of narrow products is out of range, all of them
  // are zero.
  const Ints unit = kept_bits - largest;
  Floats narrow_scale;
  powers_of_two(unit < 127 ? unit : Ints{} + 127, narrow_scale);
  const auto part = [&](uint32_t begin, uint32_t end, int32_t * out) __attribute__((always_inline)) {
    Ints sum{};
    if (is_narrow) {
      for (uint32_t i = begin; i < end; ++i)
        sum += __builtin_convertvector(columns.significand[i] * a[i] * narrow_scale, Ints);
    } else {
      for (uint32_t i = begin; i < end; ++i) {
        Floats scale;
        powers_of_two(columns.exponent[i] + (unit + a_exponent[i]), scale);
        sum += __builtin_convertvector(columns.significand[i] * a[i] * scale, Ints);
      }
    }
    std::memcpy(out, &sum, sizeof sum);
  };
  part(0, std::min(k, half_k), sums.low);
  part(half_k, std::max(k, half_k), sums.high);
  std::memcpy(sums.largest, &largest, sizeof largest);
}

/// What finish_sums() can make of sums: f32, cut toward zero to the significant bits, or f16, rounded to
/// nearest even.
struct ResultCode {
  bool is_f32, is_f16;  ///< or neither
  int mantissa_bits, exponent_mask, bias, significant_bits;
  int32_t nan, code_mask;  ///< the canonical one; bits of a code
};

/// total * 2^unit as codes, and lanes that are left out, all ones. The totals, below 2^34, are exact in
/// doubles.
__attribute__((always_inline)) inline void finish_sums(const Doubles& total, const HalfInts& unit,
                                                       const ResultCode& format, HalfInts& codes,
                                                       Longs& left) {
  const Longs units = __builtin_convertvector(unit, Longs);
  if (!format.is_f16) {
    // The low bits of the double are what is cut off. Results that are too large are left out.
    const UnsignedLongs bits = (UnsignedLongs)total & ~uint64_t{0} << (53 - format.significant_bits);
    const Longs is_number = (bits << 1) != 0;
    const Longs exponent = (Longs)(bits >> 52 & 0x7ff) - 1023 + units;
    const Longs is_small = is_number & (exponent < -126);
    left = is_number & (exponent > 127);
    const Longs scaled = ((Longs)bits + (units << 52)) & is_number & ~left & ~is_small;
    codes = (HalfInts) __builtin_convertvector((Doubles)scaled, HalfFloats);
    if (!any_lane((Ints)is_small)) return;
    // Subnormal ones have their bits from a fixed place on.
    const Longs below = -126 - exponent, dropped = below < 24 ? 29 + below : Longs{} + 53;
    const UnsignedLongs significand = (bits & ~uint64_t{0} >> 12) | uint64_t{1} << 52;
    const UnsignedLongs kept =
        (significand >> (UnsignedLongs)(is_small & dropped)) & ~uint64_t{0} << (24 - format.significant_bits);
    const UnsignedLongs code = kept == 0 ? kept : kept | bits >> 63 << 31;
    codes |= __builtin_convertvector((Longs)code & is_small, HalfInts);
    return;
  }
  const Longs is_number = total != 0;
  const Longs exponent = (Longs)((UnsignedLongs)total >> 52 & 0x7ff) - 1023 + units;
  const Doubles value = (Doubles)(((Longs)total + (units << 52)) & is_number);
  // Rounded by a number so large that its last bit is the last of the result.
  const Longs last = (exponent > -14 ? exponent : Longs{} - 14) - 10;
  const Doubles large = (Doubles)(((last + (52 + 1023)) << 52) | int64_t{1} << 51);
  const UnsignedLongs rounded = (UnsignedLongs)((value + large) - large);
  const UnsignedLongs magnitude = rounded & ~uint64_t{0} >> 1;
  const Longs top = (Longs)(magnitude >> 52) - 1023;
  const Longs mantissa = (Longs)(magnitude >> 42 & 0x3ff);
  const Doubles smallest = Doubles{} + 0x1p-14;
  const Longs subnormal = (Longs)((UnsignedLongs)((Doubles)magnitude + smallest) >> 42 & 0x3ff);
  const Longs positive = top > 15 ? Longs{} + 0x7c00 : top < -14 ? subnormal : ((top + 15) << 10) + mantissa;
  const Longs sign = (Longs)(rounded >> 63 << 15);
  codes = __builtin_convertvector(positive == 0 ? Longs{} : positive | sign, HalfInts);
  left = Longs{};
}

/// Rows of A with eight columns of B, and C from the block's D.
struct Rows {
  const Block& block;
  const AdderRules& rules;
  ResultCode format;
  bool is_narrow;
  const Prepared &a, &b;
  Element no_c;
  uint32_t first = 0, count = 0;  ///< columns
  uint32_t special_columns = 0;   ///< a bit for each that has an infinity, or where `met` is given a NaN
  uint32_t all_nan = 0;           ///< a bit for each where every row meets a NaN,
  Ints nan_columns{};             ///< and all ones
  Columns columns{};

  uint32_t* d(uint32_t row) const { return block.d + static_cast<size_t>(row) * block.n + first; }
  const uint16_t* met(uint32_t row) const {
    return block.met == nullptr ? nullptr : block.met + static_cast<size_t>(row) * block.k;
  }
};

/// The codes of the results, and all ones where one is none, since finish_sums() leaves it out. Of operands
/// that are not finite each counts as zero.
__attribute__((always_inline)) inline void sum_row(const Rows& rows, uint32_t row, Sums& sums, Ints& codes,
                                                   Ints& left) {
  const ResultCode& format = rows.format;
  Ints code{};
  if (rows.block.reads_c) std::memcpy(&code, rows.d(row), sizeof code);
  const Ints field = code >> format.mantissa_bits & format.exponent_mask,
             mantissa = code & ((1 << format.mantissa_bits) - 1);
  const Ints is_special = field == format.exponent_mask;
  Ints magnitude = field == 0 ? mantissa : mantissa | 1 << format.mantissa_bits;
  magnitude &= ~is_special;
  const Ints exponent = (field == 0 ? field + 1 : field) - (format.bias + rows.block.scale_input_d);
  const int sign = 1 << (format.is_f16 ? 15 : 31);
  Ints largest = magnitude == 0 ? magnitude + no_exponent : exponent;
  largest = largest > rows.rules.lowest_exponent ? largest : rows.rules.lowest_exponent;
  std::memcpy(sums.largest, &largest, sizeof largest);
  const size_t from = static_cast<size_t>(row) * rows.block.k;
  sum_columns(&rows.a.significand[from], &rows.a.exponent[from], rows.columns, rows.block.k, rows.is_narrow,
              rows.rules.kept_bits, sums);
  std::memcpy(&largest, sums.largest, sizeof largest);
  const Ints unit = largest - rows.rules.kept_bits;
  Floats scale;
  powers_of_two(exponent - format.mantissa_bits - unit, scale);
  const Ints c = __builtin_convertvector(
      __builtin_convertvector((code & sign) != 0 ? -magnitude : magnitude, Floats) * scale, Ints);
  HalfInts codes_of[2], left_of[2];
  for (uint32_t half = 0; half < 2; ++half) {
    const uint32_t at = half * width / 2;
    HalfInts low, high, c_half, unit_half;
    Longs left_half;
    std::memcpy(&low, sums.low + at, sizeof low);
    std::memcpy(&high, sums.high + at, sizeof high);
    std::memcpy(&c_half, reinterpret_cast<const char*>(&c) + half * sizeof c_half, sizeof c_half);
    std::memcpy(&unit_half, reinterpret_cast<const char*>(&unit) + half * sizeof unit_half, sizeof unit_half);
    const Doubles total = __builtin_convertvector(low, Doubles) + __builtin_convertvector(high, Doubles) +
                          __builtin_convertvector(c_half, Doubles);
    finish_sums(total, unit_half, format, codes_of[half], left_half);
    left_of[half] = __builtin_convertvector(left_half, HalfInts);
  }
  std::memcpy(&codes, codes_of, sizeof codes);
  std::memcpy(&left, left_of, sizeof left);
  codes = is_special ? (mantissa != 0 ? Ints{} + format.nan : code & format.code_mask) : codes;
  left &= ~is_special;
}

/// What operands that are not finite make of an element; nothing if only finite terms are left.
bool special_result(const Format& format, const Kinds& a, const Kinds& b, const Element& c, uint32_t& code) {
  const uint64_t infinite = a.infinite | b.infinite, negative = a.negative ^ b.negative;
  const bool is_plus = (infinite & ~negative) != 0 || (c.is_infinite() && !c.negative);
  const bool is_minus = (infinite & negative) != 0 || (c.is_infinite() && c.negative);
  const bool is_nan =
      (a.nan | b.nan) != 0 || c.is_nan() || (a.infinite & b.zero) != 0 || (b.infinite & a.zero) != 0;
  if (is_nan || (is_plus && is_minus))
    code = static_cast<uint32_t>(format.canonical_nan());
  else if (is_plus || is_minus)
    code = static_cast<uint32_t>(format.infinity() | (is_minus ? format.sign_bit() : 0));
  else
    return false;
  return true;
}

/// C in units of 2^unit.
int64_t in_units(const Element& c, int unit) {
  const int shift = c.lowest - unit;
  const int64_t magnitude = shift >= 0    ? int64_t{c.significand} << shift
                            : shift < -31 ? 0
                                          : static_cast<int64_t>(c.significand >> -shift);
  return c.negative ? -magnitude : magnitude;
}

/// round_sum() where the result is a normal f32.
uint32_t round_f32(const Format& format, const AdderRules& rules, int64_t sum, int unit) {
  const uint64_t magnitude = static_cast<uint64_t>(sum < 0 ? -sum : sum);
  const int top = 63 - std::countl_zero(magnitude | 1), exponent = unit + top;
  if (sum == 0 || exponent < -126 || exponent > 127) return round_sum(format, rules, sum, unit);
  const uint64_t mantissa = top > 23 ? magnitude >> (top - 23) : magnitude << (23 - top);
  const auto bits = static_cast<uint32_t>(mantissa) & ~0u << (24 - rules.significant_bits);
  return (sum < 0 ? 0x80000000 : 0) | ((static_cast<uint32_t>(exponent + 126) << 23) + bits);
}

Element element_of_c(const Rows& rows, const uint32_t* d, uint32_t column) {
  Element c =
      rows.block.reads_c && column < rows.count ? read_element(*rows.block.d_format, d[column]) : rows.no_c;
  c.lowest -= rows.block.scale_input_d, c.alignment -= rows.block.scale_input_d;
  return c;
}

/// One element of a row by itself, from the sums that are there.
void finish_element(const Rows& rows, uint32_t row, uint32_t column, const Sums& sums) {
  const Format& format = *rows.block.d_format;
  uint32_t* const d = rows.d(row);
  const Element c = element_of_c(rows, d, column);
  const bool has_kinds = !rows.a.kinds.empty();
  if (c.is_nan() || c.is_infinite() ||
      (has_kinds && (rows.a.is_special(row) || rows.b.is_special(rows.first + column)))) {
    const Kinds a = has_kinds ? rows.a.kinds[row] : Kinds{};
    Kinds b = has_kinds ? rows.b.kinds[rows.first + column] : Kinds{};
    if (rows.block.met != nullptr) b = kinds_met(b, rows.met(row), rows.block.k);
    if (special_result(format, a, b, c, d[column])) return;
  }
  const int unit = sums.largest[column] - rows.rules.kept_bits;
  const int64_t total = int64_t{sums.low[column]} + sums.high[column] + in_units(c, unit);
  d[column] = rows.format.is_f32 ? round_f32(format, rows.rules, total, unit)
                                 : round_sum(format, rows.rules, total, unit);
}

/// Of eight columns of B those k that a row of a sparse A meets.
void fetch_met(Rows& rows, uint32_t row) {
  const uint16_t* const met = rows.met(row);
  const size_t from = static_cast<size_t>(rows.first) * rows.block.b_k;
  for (uint32_t i = 0; i < rows.block.k; ++i) {
    const size_t at = from + size_t{met[i]} * width;
    std::memcpy(&rows.columns.significand[i], &rows.b.significand[at], sizeof rows.columns.significand[i]);
    std::memcpy(&rows.columns.exponent[i], &rows.b.exponent[at], sizeof rows.columns.exponent[i]);
  }
}

void find_special_columns(Rows& rows) {
  rows.special_columns = rows.all_nan = 0;
  rows.nan_columns ^= rows.nan_columns;
  if (rows.b.kinds.empty()) return;
  for (uint32_t i = 0; i < rows.count; ++i) {
    const bool is_nan = rows.block.met == nullptr && rows.b.kinds[rows.first + i].nan != 0;
    rows.all_nan |= static_cast<uint32_t>(is_nan) << i;
    rows.nan_columns[i] = -static_cast<int32_t>(is_nan);
    rows.special_columns |= static_cast<uint32_t>(!is_nan && rows.b.is_special(rows.first + i)) << i;
  }
}

__attribute__((always_inline)) inline void sum_rows(Rows& rows) {
  const Block& block = rows.block;
  const bool is_fast = (rows.format.is_f32 || rows.format.is_f16) && rows.count == width;
  for (uint32_t row = 0; row < block.m; ++row) {
    uint32_t* const d = rows.d(row);
    if (!rows.a.kinds.empty() && rows.a.kinds[row].nan != 0) {
      std::fill_n(d, rows.count, static_cast<uint32_t>(rows.format.nan));
      continue;
    }
    if (block.met != nullptr) fetch_met(rows, row);
    Sums sums;
    uint32_t left = (1u << rows.count) - 1;
    if (is_fast) {
      Ints codes, left_lanes;
      sum_row(rows, row, sums, codes, left_lanes);
      codes = rows.nan_columns ? Ints{} + rows.format.nan : codes;
      left_lanes &= ~rows.nan_columns;
      const uint32_t special = rows.a.is_special(row) ? left & ~rows.all_nan : rows.special_columns;
      if (special == 0 && !any_lane(left_lanes)) {
        std::memcpy(d, &codes, sizeof codes);
        continue;
      }
      left = special;
      for (uint32_t i = 0; i < width; ++i) left |= static_cast<uint32_t>(left_lanes[i] & 1) << i;
      for (uint32_t i = 0; i < width; ++i)
        if ((left >> i & 1) == 0) d[i] = static_cast<uint32_t>(codes[i]);
    } else {
      for (uint32_t i = 0; i < width; ++i) {
        const Element c = element_of_c(rows, d, i);
        const bool is_number = !c.is_zero() && !c.is_nan() && !c.is_infinite();
        sums.largest[i] =
            is_number ? std::max(rows.rules.lowest_exponent, c.alignment) : rows.rules.lowest_exponent;
      }
      const size_t from = static_cast<size_t>(row) * block.k;
      sum_columns(&rows.a.significand[from], &rows.a.exponent[from], rows.columns, block.k, rows.is_narrow,
                  rows.rules.kept_bits, sums);
    }
    for (uint32_t i = 0; i < rows.count; ++i)
      if (left >> i & 1) finish_element(rows, row, i, sums);
  }
}

void sum_rows_plain(Rows& rows) {
  sum_rows(rows);
}
#if defined(__x86_64__)
__attribute__((target("avx2"))) void sum_rows_avx2(Rows& rows) {
  sum_rows(rows);
}
#endif

/// As compiled for this processor.
auto sum_rows_here() {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx2) return sum_rows_avx2;
#endif
  return sum_rows_plain;
}

ResultCode result_code(const Format& format, const AdderRules& rules) {
  return {.is_f32 = !rules.rounds_to_nearest && format.storage_bits == 32,
          .is_f16 = rules.rounds_to_nearest && format.storage_bits == 16 && format.mantissa_bits == 10 &&
                    rules.significant_bits == 11,
          .mantissa_bits = format.mantissa_bits,
          .exponent_mask = static_cast<int>(format.exponent_mask()),
          .bias = format.bias,
          .significant_bits = rules.significant_bits,
          .nan = static_cast<int32_t>(static_cast<uint32_t>(format.canonical_nan())),
          .code_mask = static_cast<int32_t>(static_cast<uint32_t>(format.code_mask()))};
}

}  // namespace
}  // namespace fast_sum

void sum_block_fast(const Block& block, const AdderRules& rules) {
  using namespace fast_sum;
  const uint32_t b_k = block.met == nullptr ? block.k : block.b_k;
  const Matrix a_matrix{*block.a_format, block.a,        block.m,           block.k,
                        block.negate_a,  block.a_scales, block.scale_block, false};
  const Matrix b_matrix{*block.b_format, block.b,        block.n,           b_k,
                        block.negate_b,  block.b_scales, block.scale_block, true};
  // Products of two numbers with five bits of exponent are floats.
  const bool is_narrow = block.a_scales == nullptr && block.b_scales == nullptr &&
                         block.a_format->exponent_mask() <= 31 && block.b_format->exponent_mask() <= 31;
  thread_local Prepared a, b;
  prepare(a_matrix, is_narrow, a);
  prepare(b_matrix, is_narrow, b);
  if (a.has_special || b.has_special) find_kinds(a_matrix, a), find_kinds(b_matrix, b);
  Rows rows{block, rules, result_code(*block.d_format, rules), is_narrow,
            a,     b,     read_element(*block.d_format, 0)};
  const auto sum = sum_rows_here();
  for (rows.first = 0; rows.first < block.n; rows.first += width) {
    const size_t from = static_cast<size_t>(rows.first) * b_k;
    if (block.met == nullptr) {
      std::memcpy(rows.columns.significand, &b.significand[from], sizeof(float) * width * block.k);
      std::memcpy(rows.columns.exponent, &b.exponent[from], sizeof(int32_t) * width * block.k);
    }
    rows.count = std::min(width, block.n - rows.first);
    find_special_columns(rows);
    sum(rows);
  }
}

}  // namespace assay::emulator
