// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

#include "devices/emulator/tensor/adder_rules.h"
#include "devices/emulator/tensor/element.h"

// Eight columns at a time, in floats. A product of significands is exact there, and so is its product with a
// power of two, but where it is so small that it counts nothing; the conversion to an integer is the
// truncation. Sixteen terms below 2^(F + 2) fit 32 bits for every format with at most ten bits of mantissa.
namespace assay::emulator {
namespace {

using spec::Format;

constexpr uint32_t width = 8, most_k = 32, half_k = 16;
typedef float Floats __attribute__((vector_size(4 * width)));
typedef int32_t Ints __attribute__((vector_size(4 * width)));
// Half as many of twice the size.
typedef int32_t HalfInts __attribute__((vector_size(2 * width)));
typedef float HalfFloats __attribute__((vector_size(2 * width)));
typedef double Doubles __attribute__((vector_size(4 * width)));
typedef int64_t Longs __attribute__((vector_size(4 * width)));
typedef uint64_t UnsignedLongs __attribute__((vector_size(4 * width)));

/// Alignment of a zero: below every sum with one of a number.
constexpr int32_t no_exponent = -4096;

/// Per row of A or column of B: a bit for every k with a code of that kind.
struct Kinds {
  uint64_t nan = 0, infinite = 0, zero = 0, negative = 0;
  bool is_special() const { return (nan | infinite) != 0; }
};

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

/// One operand: significands with sign, and exponents that they are still to be multiplied by.
struct Prepared {
  std::vector<float> significand;
  std::vector<int32_t> exponent;
  std::vector<Kinds> kinds;
};

float power_of_two(int exponent) {
  return std::bit_cast<float>(static_cast<uint32_t>(exponent + 127) << 23);
}

/// What is prepared of one code.
struct PreparedCode {
  float significand = 0;
  int32_t exponent = no_exponent;
  bool negative, nan, infinite, zero;
};
PreparedCode prepare_code(const Format& format, uint32_t code, bool negate) {
  const uint32_t exponent =
      code >> (format.ignored_bits + format.mantissa_bits) & static_cast<uint32_t>(format.exponent_mask());
  const bool is_negative = ((code & format.sign_bit()) != 0) != negate;
  // Most codes are of normal numbers, whose bits are those of the float already.
  if (exponent != 0 && exponent != format.exponent_mask()) {
    const uint32_t mantissa = code >> format.ignored_bits & static_cast<uint32_t>(format.mantissa_mask());
    const uint32_t bits =
        (is_negative ? 0x80000000 : 0) | 127u << 23 | mantissa << (23 - format.mantissa_bits);
    return {std::bit_cast<float>(bits),
            static_cast<int32_t>(exponent) - format.bias,
            is_negative,
            false,
            false,
            false};
  }
  const Element x = read_element(format, code);
  PreparedCode made{
      .negative = is_negative, .nan = x.is_nan(), .infinite = x.is_infinite(), .zero = x.is_zero()};
  if (made.zero || made.nan || made.infinite) return made;
  const float significand = static_cast<float>(x.significand) * power_of_two(-format.mantissa_bits);
  made.significand = made.negative ? -significand : significand;
  made.exponent = x.alignment;
  return made;
}

/// All codes of a format of at most 8 bits: the rows of a sparse A meet each a B of their own.
const PreparedCode* prepared_codes(const Format& format, bool negate) {
  struct Table {
    const Format* format = nullptr;
    bool negate = false;
    PreparedCode codes[256];
  };
  thread_local Table tables[4];
  thread_local uint32_t next = 0;
  for (const Table& table : tables)
    if (table.format == &format && table.negate == negate) return table.codes;
  Table& table = tables[next++ % 4];
  table.format = &format, table.negate = negate;
  for (uint32_t code = 0; code < 256; ++code) table.codes[code] = prepare_code(format, code, negate);
  return table.codes;
}

/// One matrix and its scales, none: null.
struct Matrix {
  const Format& format;
  const uint32_t* codes;
  uint32_t rows, k;
  bool negate;
  const int32_t* scales;
  uint32_t scale_block;
};

/// Element k of row r goes to at(r, k).
template <typename At>
void prepare(const Matrix& matrix, size_t size, At at, Prepared& out) {
  const uint32_t k = matrix.k;
  out.significand.assign(size, 0.0f);
  out.exponent.assign(size, no_exponent);
  out.kinds.assign(matrix.rows, {});
  const PreparedCode* const table =
      matrix.format.storage_bits <= 8 ? prepared_codes(matrix.format, matrix.negate) : nullptr;
  const uint32_t blocks = matrix.scales == nullptr ? 0 : k / matrix.scale_block;
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    Kinds& kinds = out.kinds[row];
    for (uint32_t i = 0; i < k; ++i) {
      const uint32_t code = matrix.codes[static_cast<size_t>(row) * k + i];
      const PreparedCode x =
          table != nullptr ? table[code & 0xff] : prepare_code(matrix.format, code, matrix.negate);
      kinds.negative |= static_cast<uint64_t>(x.negative) << i;
      kinds.nan |= static_cast<uint64_t>(x.nan) << i;
      kinds.infinite |= static_cast<uint64_t>(x.infinite) << i;
      kinds.zero |= static_cast<uint64_t>(x.zero) << i;
      out.significand[at(row, i)] = x.significand;
      out.exponent[at(row, i)] = x.exponent;
    }
    for (uint32_t block = 0; block < blocks; ++block) {
      const int32_t scale = matrix.scales[static_cast<size_t>(row) * blocks + block];
      if (scale == Block::nan_scale) kinds.nan |= 1;  // whichever of the row
      for (uint32_t i = block * matrix.scale_block; i < (block + 1) * matrix.scale_block; ++i)
        if (out.exponent[at(row, i)] != no_exponent && scale != Block::nan_scale)
          out.exponent[at(row, i)] += scale;
    }
  }
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

/// 2^exponent, and 0 below the normal numbers. No vector is passed by value: it would have another place for
/// each kind of processor.
__attribute__((always_inline)) inline void powers_of_two(const Ints& exponent, Floats& power) {
  const Ints field = exponent + 127;
  power = (Floats)((field > 0 ? field : 0) << 23);
}

/// `sums.largest` brings the exponent of C, or the lowest one, and leaves with E.
__attribute__((always_inline)) inline void sum_columns(const float* a, const int32_t* a_exponent,
                                                       const Columns& columns, uint32_t k, int32_t kept_bits,
                                                       Sums& sums) {
  Ints largest;
  std::memcpy(&largest, sums.largest, sizeof largest);
  for (uint32_t i = 0; i < k; ++i) {
    const Ints exponent = columns.exponent[i] + a_exponent[i];
    largest = exponent > largest ? exponent : largest;
  }
  // A term that is multiplied by 0 is below 1.
  const Ints unit = kept_bits - largest;
  const auto part = [&](uint32_t begin, uint32_t end, int32_t * out) __attribute__((always_inline)) {
    Ints sum{};
    for (uint32_t i = begin; i < end; ++i) {
      Floats scale;
      powers_of_two(columns.exponent[i] + (unit + a_exponent[i]), scale);
      const Floats term = columns.significand[i] * a[i] * scale;
      sum += __builtin_convertvector(term, Ints);
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
};

/// total * 2^unit as codes, and lanes that are left out, all ones. The totals, below 2^34, are exact in
/// doubles.
__attribute__((always_inline)) inline void finish_sums(const Doubles& total, const HalfInts& unit,
                                                       const ResultCode& format, HalfInts& codes,
                                                       Longs& left) {
  const Longs units = __builtin_convertvector(unit, Longs);
  if (!format.is_f16) {
    // The low bits of the double are what is cut off. Subnormal results and those too large are left out.
    const UnsignedLongs bits = (UnsignedLongs)total & ~uint64_t{0} << (53 - format.significant_bits);
    const Longs is_number = (bits << 1) != 0;
    const Longs exponent = (Longs)(bits >> 52 & 0x7ff) - 1023 + units;
    left = is_number & ((exponent < -126) | (exponent > 127));
    const Longs scaled = ((Longs)bits + (units << 52)) & is_number & ~left;
    codes = (HalfInts) __builtin_convertvector((Doubles)scaled, HalfFloats);
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

/// A row of A with eight columns of B, and C from `d`; of operands that are not finite each counts as zero.
struct SumRow {
  const float* a;
  const int32_t* a_exponent;
  const Columns& columns;
  uint32_t k;
  const AdderRules& rules;
  const ResultCode& format;
  bool reads_c;
  int scale_input_d;
  const uint32_t* d;
};
/// The codes of the results, and a bit for each that is none: where C is not finite, or finish_sums() leaves
/// it out.
__attribute__((always_inline)) inline uint32_t sum_row(const SumRow& row, Sums& sums, uint32_t* codes) {
  const ResultCode& format = row.format;
  Ints code{};
  if (row.reads_c) std::memcpy(&code, row.d, sizeof code);
  const Ints field = code >> format.mantissa_bits & format.exponent_mask,
             mantissa = code & ((1 << format.mantissa_bits) - 1);
  const Ints is_special = field == format.exponent_mask;
  Ints magnitude = field == 0 ? mantissa : mantissa | 1 << format.mantissa_bits;
  magnitude &= ~is_special;
  const Ints exponent = (field == 0 ? field + 1 : field) - (format.bias + row.scale_input_d);
  const int sign = 1 << (format.is_f16 ? 15 : 31);
  Ints largest = magnitude == 0 ? magnitude + no_exponent : exponent;
  largest = largest > row.rules.lowest_exponent ? largest : row.rules.lowest_exponent;
  std::memcpy(sums.largest, &largest, sizeof largest);
  sum_columns(row.a, row.a_exponent, row.columns, row.k, row.rules.kept_bits, sums);
  std::memcpy(&largest, sums.largest, sizeof largest);
  const Ints unit = largest - row.rules.kept_bits;
  Floats scale;
  powers_of_two(exponent - format.mantissa_bits - unit, scale);
  const Ints c = __builtin_convertvector(
      __builtin_convertvector((code & sign) != 0 ? -magnitude : magnitude, Floats) * scale, Ints);
  uint32_t left = 0;
  for (uint32_t half = 0; half < 2; ++half) {
    const uint32_t at = half * width / 2;
    HalfInts low, high, c_half, unit_half, codes_half;
    Longs left_half;
    std::memcpy(&low, sums.low + at, sizeof low);
    std::memcpy(&high, sums.high + at, sizeof high);
    std::memcpy(&c_half, reinterpret_cast<const char*>(&c) + half * sizeof c_half, sizeof c_half);
    std::memcpy(&unit_half, reinterpret_cast<const char*>(&unit) + half * sizeof unit_half, sizeof unit_half);
    const Doubles total = __builtin_convertvector(low, Doubles) + __builtin_convertvector(high, Doubles) +
                          __builtin_convertvector(c_half, Doubles);
    finish_sums(total, unit_half, format, codes_half, left_half);
    std::memcpy(codes + at, &codes_half, sizeof codes_half);
    for (uint32_t i = 0; i < width / 2; ++i) left |= static_cast<uint32_t>(left_half[i] & 1) << (at + i);
  }
  for (uint32_t i = 0; i < width; ++i) left |= static_cast<uint32_t>(is_special[i] & 1) << i;
  return left;
}

/// What is compiled for a kind of processor.
struct Vectors {
  void (*sum_columns)(const float*, const int32_t*, const Columns&, uint32_t, int32_t, Sums&);
  uint32_t (*sum_row)(const SumRow&, Sums&, uint32_t*);
};

void sum_columns_plain(const float* a, const int32_t* a_exponent, const Columns& columns, uint32_t k,
                       int32_t kept_bits, Sums& sums) {
  sum_columns(a, a_exponent, columns, k, kept_bits, sums);
}
uint32_t sum_row_plain(const SumRow& row, Sums& sums, uint32_t* codes) {
  return sum_row(row, sums, codes);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) void sum_columns_avx2(const float* a, const int32_t* a_exponent,
                                                      const Columns& columns, uint32_t k, int32_t kept_bits,
                                                      Sums& sums) {
  sum_columns(a, a_exponent, columns, k, kept_bits, sums);
}
__attribute__((target("avx2"))) uint32_t sum_row_avx2(const SumRow& row, Sums& sums, uint32_t* codes) {
  return sum_row(row, sums, codes);
}
#endif

const Vectors& vectors_here() {
  static constexpr Vectors plain{sum_columns_plain, sum_row_plain};
#if defined(__x86_64__)
  static constexpr Vectors avx2{sum_columns_avx2, sum_row_avx2};
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  if (has_avx2) return avx2;
#endif
  return plain;
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

/// Of eight columns of B from `from` on, those k that a row of a sparse A meets.
void fetch_met(const Prepared& b, size_t from, const uint16_t* met, uint32_t k, Columns& columns) {
  for (uint32_t i = 0; i < k; ++i) {
    std::memcpy(&columns.significand[i], &b.significand[from + size_t{met[i]} * width],
                sizeof columns.significand[i]);
    std::memcpy(&columns.exponent[i], &b.exponent[from + size_t{met[i]} * width], sizeof columns.exponent[i]);
  }
}

/// A bit for each of the columns from `first` on that has a code that is not finite.
uint32_t special_among(const Prepared& b, uint32_t first, uint32_t count) {
  uint32_t special = 0;
  for (uint32_t i = 0; i < count; ++i) special |= static_cast<uint32_t>(b.kinds[first + i].is_special()) << i;
  return special;
}

ResultCode result_code(const Format& format, const AdderRules& rules) {
  return {.is_f32 = !rules.rounds_to_nearest && format.storage_bits == 32,
          .is_f16 = rules.rounds_to_nearest && format.storage_bits == 16 && format.mantissa_bits == 10 &&
                    rules.significant_bits == 11,
          .mantissa_bits = format.mantissa_bits,
          .exponent_mask = static_cast<int>(format.exponent_mask()),
          .bias = format.bias,
          .significant_bits = rules.significant_bits};
}

}  // namespace

void sum_block_fast(const Block& block, const AdderRules& rules) {
  const Format& format = *block.d_format;
  const uint32_t k = block.k, blocks = (block.n + width - 1) / width;
  const uint32_t b_k = block.met == nullptr ? k : block.b_k;
  Prepared a, b;
  prepare(
      {*block.a_format, block.a, block.m, k, block.negate_a, block.a_scales, block.scale_block},
      static_cast<size_t>(block.m) * k,
      [&](uint32_t row, uint32_t i) { return static_cast<size_t>(row) * k + i; }, a);
  prepare(
      {*block.b_format, block.b, block.n, b_k, block.negate_b, block.b_scales, block.scale_block},
      static_cast<size_t>(blocks) * width * b_k,
      [&](uint32_t column, uint32_t i) {
        return (static_cast<size_t>(column / width) * b_k + i) * width + column % width;
      },
      b);
  const Vectors& vectors = vectors_here();
  const ResultCode result = result_code(format, rules);
  const Element no_c = read_element(format, 0);
  Columns columns;
  for (uint32_t at = 0; at < blocks; ++at) {
    const size_t from = static_cast<size_t>(at) * b_k * width;
    if (block.met == nullptr) {
      std::memcpy(columns.significand, &b.significand[from], sizeof(float) * width * k);
      std::memcpy(columns.exponent, &b.exponent[from], sizeof(int32_t) * width * k);
    }
    const uint32_t first = at * width, count = std::min(width, block.n - first);
    const uint32_t special_columns = special_among(b, first, count);
    for (uint32_t row = 0; row < block.m; ++row) {
      uint32_t* d = block.d + static_cast<size_t>(row) * block.n + first;
      const uint16_t* met = block.met == nullptr ? nullptr : block.met + static_cast<size_t>(row) * k;
      if (met != nullptr) fetch_met(b, from, met, k, columns);
      const bool is_special_row = a.kinds[row].is_special();
      const float* const significands = &a.significand[static_cast<size_t>(row) * k];
      const int32_t* const exponents = &a.exponent[static_cast<size_t>(row) * k];
      Sums sums;
      uint32_t left = (1u << count) - 1;
      if ((result.is_f32 || result.is_f16) && count == width) {
        uint32_t codes[width];
        left = vectors.sum_row(
            {significands, exponents, columns, k, rules, result, block.reads_c, block.scale_input_d, d}, sums,
            codes);
        left |= is_special_row ? ~0u >> (32 - width) : special_columns;
        for (uint32_t i = 0; i < width; ++i)
          if ((left >> i & 1) == 0) d[i] = codes[i];
        if (left == 0) continue;
      }
      Element c[width];
      for (uint32_t i = 0; i < width; ++i) {
        c[i] = block.reads_c && i < count ? read_element(format, d[i]) : no_c;
        c[i].lowest -= block.scale_input_d, c[i].alignment -= block.scale_input_d;
        const bool is_number = !c[i].is_zero() && !c[i].is_nan() && !c[i].is_infinite();
        sums.largest[i] = is_number ? std::max(rules.lowest_exponent, c[i].alignment) : rules.lowest_exponent;
      }
      vectors.sum_columns(significands, exponents, columns, k, rules.kept_bits, sums);
      for (uint32_t i = 0; i < count; ++i) {
        if ((left >> i & 1) == 0) continue;
        const bool is_special =
            is_special_row || b.kinds[first + i].is_special() || c[i].is_nan() || c[i].is_infinite();
        const Kinds& kinds = b.kinds[first + i];
        if (is_special && special_result(format, a.kinds[row],
                                         met == nullptr ? kinds : kinds_met(kinds, met, k), c[i], d[i]))
          continue;
        const int unit = sums.largest[i] - rules.kept_bits;
        const int64_t total = int64_t{sums.low[i]} + sums.high[i] + in_units(c[i], unit);
        d[i] = result.is_f32 ? round_f32(format, rules, total, unit) : round_sum(format, rules, total, unit);
      }
    }
  }
}

}  // namespace assay::emulator
