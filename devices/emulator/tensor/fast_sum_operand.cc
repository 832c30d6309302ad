// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/fast_sum_operand.h"

#include "devices/emulator/tensor/fragment.h"

namespace assay::emulator::fast_sum {
namespace {

using spec::Format;

/// Codes of one format, `count` of them in eights, and where they go.
struct Decoding {
  const Format& format;
  bool negate, is_narrow;
  const uint32_t* codes;
  size_t count;
  float* significand;
  int32_t* exponent;
};
/// True if some code is not finite: it counts as zero.
__attribute__((always_inline)) inline bool decode(const Decoding& work) {
  const Format& format = work.format;
  const int field_at = format.ignored_bits + format.mantissa_bits, ignored = format.ignored_bits;
  const int32_t field_mask = static_cast<int32_t>(format.exponent_mask()),
                mantissa_mask = static_cast<int32_t>(format.mantissa_mask()),
                sign_bit = static_cast<int32_t>(static_cast<uint32_t>(format.sign_bit()));
  const int32_t flipped = work.negate ? INT32_MIN : 0,
                small_field = format.zero_exponent_is_subnormal ? 0 : -1;
  // e5m2 and the IEEE types give all codes with the highest exponent away, e4m3 the highest alone.
  const int32_t special_field = format.has_infinity() || format.has_nan() ? field_mask : -1,
                least_special = format.has_infinity() ? 0 : mantissa_mask;
  const float unit = power_of_two(-format.mantissa_bits);
  Ints specials{};
  for (size_t i = 0; i < work.count; i += width) {
    Ints code;
    std::memcpy(&code, work.codes + i, sizeof code);
    // The sign of an arithmetic shift is masked away.
    const Ints field = code >> field_at & field_mask, mantissa = code >> ignored & mantissa_mask;
    const Ints is_small = field == small_field;
    const Ints special = (field == special_field) & (mantissa >= least_special);
    const Ints is_nothing = special | (is_small & (mantissa == 0));
    const Ints magnitude = is_small ? mantissa : mantissa | 1 << format.mantissa_bits;
    const Ints counts = is_small ? Ints{} + format.emin() : field - format.bias;
    const Ints exponent = is_nothing ? Ints{} + no_exponent : counts;
    const Ints sign = ((code & sign_bit) != 0 ? Ints{} + INT32_MIN : Ints{}) ^ flipped;
    Floats value = __builtin_convertvector(magnitude & ~is_nothing, Floats) * unit;
    if (work.is_narrow) {
      Floats power;
      powers_of_two(exponent, power);
      value *= power;
    }
    const Ints bits = (Ints)value | sign;
    std::memcpy(work.significand + i, &bits, sizeof bits);
    std::memcpy(work.exponent + i, &exponent, sizeof exponent);
    specials |= special;
  }
  return any_lane(specials);
}

bool decode_plain(const Decoding& work) {
  return decode(work);
}
#if defined(__x86_64__)
__attribute__((target("avx2"))) bool decode_avx2(const Decoding& work) {
  return decode(work);
}
#endif

}  // namespace

void prepare(const Matrix& matrix, bool is_narrow, Prepared& out) {
  thread_local std::vector<uint32_t> laid;
  const uint32_t k = matrix.k,
                 rows = matrix.is_by_columns ? (matrix.rows + width - 1) / width * width : matrix.rows;
  const size_t count = static_cast<size_t>(matrix.rows) * k,
               size = (static_cast<size_t>(rows) * k + width - 1) / width * width;
  const uint32_t* codes = matrix.codes;
  if (matrix.is_by_columns) {
    laid.assign(size, 0);
    for (uint32_t row = 0; row < matrix.rows; ++row, codes += k) {
      uint32_t* to = &laid[matrix.at(row, 0)];
      for (uint32_t i = 0; i < k; ++i) to[static_cast<size_t>(i) * width] = codes[i];
    }
    codes = laid.data();
  } else if (size != count) {
    laid.assign(codes, codes + count);
    laid.resize(size);
    codes = laid.data();
  }
  out.significand.resize(size), out.exponent.resize(size), out.kinds.clear();
  const Decoding work{matrix.format, matrix.negate,          is_narrow,          codes,
                      size,          out.significand.data(), out.exponent.data()};
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2");
  out.has_special = has_avx2 ? decode_avx2(work) : decode_plain(work);
#else
  out.has_special = decode_plain(work);
#endif
  for (uint32_t row = 0; row < matrix.rows; ++row)
    for (uint32_t block = 0; block < matrix.scale_blocks(); ++block) {
      const int32_t scale = matrix.scale(row, block);
      if (scale == Block::nan_scale) out.has_special = true;
      if (scale == Block::nan_scale || scale == 0) continue;
      for (uint32_t i = block * matrix.scale_block; i < (block + 1) * matrix.scale_block; ++i)
        if (int32_t& exponent = out.exponent[matrix.at(row, i)]; exponent != no_exponent) exponent += scale;
    }
}

void find_kinds(const Matrix& matrix, Prepared& out) {
  out.kinds.assign(matrix.rows, {});
  for (uint32_t row = 0; row < matrix.rows; ++row) {
    Kinds& kinds = out.kinds[row];
    for (uint32_t i = 0; i < matrix.k; ++i) {
      const Element x = read_element(matrix.format, matrix.codes[static_cast<size_t>(row) * matrix.k + i]);
      kinds.negative |= static_cast<uint64_t>(x.negative != matrix.negate) << i;
      kinds.nan |= static_cast<uint64_t>(x.is_nan()) << i;
      kinds.infinite |= static_cast<uint64_t>(x.is_infinite()) << i;
      kinds.zero |= static_cast<uint64_t>(x.is_zero()) << i;
    }
    for (uint32_t block = 0; block < matrix.scale_blocks(); ++block)
      if (matrix.scale(row, block) == Block::nan_scale) kinds.nan |= 1;  // whichever of the row
  }
}

}  // namespace assay::emulator::fast_sum
