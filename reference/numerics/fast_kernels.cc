// SPDX-License-Identifier: Apache-2.0
// Compiled once per instruction set: Highway includes this file again under each target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reference/numerics/fast_kernels.cc"
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#endif
#include <cmath>
#include <cstdint>
#include <optional>

#include "reference/numerics/fast_kernels.h"
//
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>
//
#include "reference/numerics/fast_decode_inl.h"
#include "reference/numerics/fast_finish_inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay::numerics {
namespace HWY_NAMESPACE {

/// Truncation of values below 2^31. Highway's conversion also mends larger ones, which costs two
/// instructions.
HWY_INLINE hn::Vec<I32> Truncate(hn::Vec<F32> x) {
#if HWY_TARGET == HWY_AVX3
  return hn::Vec<I32>{_mm512_cvttps_epi32(x.raw)};
#elif HWY_TARGET == HWY_AVX2
  return hn::Vec<I32>{_mm256_cvttps_epi32(x.raw)};
#else
  return hn::ConvertTo(I32(), x);
#endif
}

void MaxExponents(const int16_t* ea, const int16_t* eb, const size_t* at, int k, int n, int16_t* largest) {
  const hn::ScalableTag<int16_t> tag;
  const int lanes = static_cast<int>(hn::Lanes(tag));
  int j = 0;
  for (; j + 2 * lanes <= n; j += 2 * lanes) {
    auto best_0 = hn::Set(tag, -32000), best_1 = best_0;
    for (int i = 0; i < k; ++i) {
      const auto of_row = hn::Set(tag, ea[i]);
      const int16_t* from = eb + at[i] + j;
      best_0 = hn::Max(best_0, hn::Add(of_row, hn::LoadU(tag, from)));
      best_1 = hn::Max(best_1, hn::Add(of_row, hn::LoadU(tag, from + lanes)));
    }
    hn::StoreU(best_0, tag, largest + j);
    hn::StoreU(best_1, tag, largest + j + lanes);
  }
  for (; j < n; j += lanes) {
    auto best = hn::Set(tag, -32000);
    for (int i = 0; i < k; ++i)
      best = hn::Max(best, hn::Add(hn::Set(tag, ea[i]), hn::LoadU(tag, eb + at[i] + j)));
    hn::StoreU(best, tag, largest + j);
  }
}

bool Prepare(const RowRules& rules, const Row& row) {
  const I32 i32;
  const U32 u32;
  const F32 f32;
  const hn::Rebind<int16_t, I32> i16;
  const int lanes = static_cast<int>(hn::Lanes(i32));
  auto special = hn::MaskFromVec(hn::Zero(i32));
  const int mantissa = rules.d_is_f16 ? 10 : 23;
  const auto top = hn::Set(i32, rules.d_is_f16 ? 31 : 255);
  const auto bias = hn::Set(i32, (rules.d_is_f16 ? 15 : 127) + rules.scale_input_d);
  const auto none = hn::Set(i32, -30000);
  for (int j = 0; j < row.n; j += lanes) {
    const auto code = hn::LoadU(u32, row.c + j);
    const auto field = hn::And(hn::BitCast(i32, hn::ShiftRightSame(code, mantissa)), top);
    special = hn::Or(special, hn::Eq(field, top));
    auto value = hn::BitCast(f32, code);
    if (rules.d_is_f16) value = FloatOfF16(code);
    // What is not finite gets its result from the plain sum; here it must only do no harm.
    value = hn::IfThenZeroElse(hn::RebindMask(f32, hn::Eq(field, top)), value);
    hn::StoreU(value, f32, row.c_value + j);
    auto alignment = hn::Sub(hn::Max(field, hn::Set(i32, 1)), bias);
    alignment = hn::IfThenElse(hn::RebindMask(i32, hn::Eq(value, hn::Zero(f32))), none, alignment);
    alignment = hn::Max(alignment, hn::Set(i32, rules.floor_exponent));
    const auto product = hn::PromoteTo(i32, hn::LoadU(i16, row.product_exponent + j));
    const auto live = hn::Gt(product, hn::Set(i32, live_limit));
    const auto scale = row.scale_exponent == nullptr ? hn::Zero(i32) : hn::LoadU(i32, row.scale_exponent + j);
    alignment = hn::IfThenElse(live, hn::Max(alignment, hn::Add(product, scale)), alignment);
    hn::StoreU(alignment, i32, row.alignment + j);
    const auto shift = hn::Add(hn::Sub(hn::Set(i32, rules.kept_bits), alignment), scale);
    hn::StoreU(hn::IfThenElseZero(live, shift), i32, row.shift + j);
  }
  return !hn::AllFalse(i32, special);
}

void SumFloat(const float* a, const float* b, const size_t* at, int k, int n, const int32_t* shift,
              double* sum) {
  const F32 f32;
  const I32 i32;
  const F64 f64;
  const int lanes = static_cast<int>(hn::Lanes(f32));
  const auto scale_at = [&](int j) HWY_ATTR {
    const auto x = hn::Max(hn::LoadU(i32, shift + j), hn::Set(i32, lowest_float_shift));
    return hn::BitCast(f32, hn::ShiftLeft<23>(hn::Add(x, hn::Set(i32, 127))));
  };
  // The first sixteen products set the sum, later ones add to it.
  const auto put = [&](int j, hn::Vec<I32> part, bool is_first) HWY_ATTR {
    const auto one = [&](double* to, V64 value) HWY_ATTR {
      hn::StoreU(is_first ? value : hn::Add(value, hn::LoadU(f64, to)), f64, to);
    };
#if HWY_TARGET == HWY_SCALAR
    one(sum + j, hn::PromoteTo(f64, part));
#else
    one(sum + j, hn::PromoteTo(f64, hn::LowerHalf(part)));
    one(sum + j + lanes / 2, hn::PromoteTo(f64, hn::UpperHalf(HalfI32(), part)));
#endif
  };
  for (int j = 0; j < n; j += 2 * lanes) {
    const auto scale_0 = scale_at(j), scale_1 = scale_at(j + lanes);
    for (int first = 0; first < k; first += 16) {
      auto sum_0 = hn::Zero(i32), sum_1 = hn::Zero(i32);
      const int last = first + 16 < k ? first + 16 : k;
      for (int i = first; i < last; ++i) {
        const auto factor = hn::Set(f32, a[i]);
        const float* from = b + at[i] + j;
        sum_0 = hn::Add(sum_0, Truncate(hn::Mul(hn::Mul(factor, hn::LoadU(f32, from)), scale_0)));
        sum_1 = hn::Add(sum_1, Truncate(hn::Mul(hn::Mul(factor, hn::LoadU(f32, from + lanes)), scale_1)));
      }
      put(j, sum_0, first == 0);
      put(j + lanes, sum_1, first == 0);
    }
  }
}

template <class Cut>
HWY_INLINE void SumDoubleWith(const Cut& cut, const double* a, const double* b, const size_t* at, int k,
                              int n, const int32_t* shift, double* sum) {
  const F64 f64;
  const HalfI32 i32;
  const int lanes = static_cast<int>(hn::Lanes(f64));
  const auto scale_at = [&](int j) HWY_ATTR {
    const auto x = hn::LoadU(i32, shift + j);
    return PowerOfTwo(hn::Max(x, hn::Set(i32, -700)));
  };
  for (int j = 0; j < n; j += 2 * lanes) {
    const V64 scale_0 = scale_at(j), scale_1 = scale_at(j + lanes);
    V64 sum_0 = hn::Zero(f64), sum_1 = hn::Zero(f64);
    for (int i = 0; i < k; ++i) {
      const V64 factor = hn::Set(f64, a[i]);
      const double* from = b + at[i] + j;
      sum_0 = hn::Add(sum_0, cut(hn::Mul(hn::Mul(factor, hn::LoadU(f64, from)), scale_0)));
      sum_1 = hn::Add(sum_1, cut(hn::Mul(hn::Mul(factor, hn::LoadU(f64, from + lanes)), scale_1)));
    }
    hn::StoreU(sum_0, f64, sum + j);
    hn::StoreU(sum_1, f64, sum + j + lanes);
  }
}

void SumDouble(const double* a, const double* b, const size_t* at, int k, int n, const int32_t* shift,
               spec::Rounding rounding, double* sum) {
  if (rounding == spec::Rounding::toward_zero)
    SumDoubleWith([](V64 x) HWY_ATTR { return hn::Trunc(x); }, a, b, at, k, n, shift, sum);
  else
    SumDoubleWith([rounding](V64 x) HWY_ATTR { return RoundTo(rounding, x); }, a, b, at, k, n, shift, sum);
}

void SumIntegers(const float* a, const float* b, const size_t* at, int k, int n, const uint32_t* c,
                 bool saturates, uint32_t* d) {
  const F32 f32;
  const I32 i32;
  constexpr int together = 256;  // of products below 2^16 a float keeps the sum exactly
  const int lanes = static_cast<int>(hn::Lanes(f32));
  const auto put = [&](int j, hn::Vec<I32> sum) HWY_ATTR {
    const auto old = hn::BitCast(i32, hn::LoadU(U32(), c + j));
    auto total = hn::Add(sum, old);
    if (saturates) {
      const auto passed = hn::Lt(hn::And(hn::Xor(total, sum), hn::Xor(total, old)), hn::Zero(i32));
      const auto limit =
          hn::IfThenElse(hn::Lt(old, hn::Zero(i32)), hn::Set(i32, INT32_MIN), hn::Set(i32, INT32_MAX));
      total = hn::IfThenElse(passed, limit, total);
    }
    hn::StoreU(hn::BitCast(U32(), total), U32(), d + j);
  };
  for (int j = 0; j < n; j += 2 * lanes) {
    auto sum_0 = hn::Zero(i32), sum_1 = hn::Zero(i32);
    for (int first = 0; first < k; first += together) {
      auto part_0 = hn::Zero(f32), part_1 = hn::Zero(f32);
      for (int i = first; i < k && i < first + together; ++i) {
        const auto factor = hn::Set(f32, a[i]);
        const float* from = b + at[i] + j;
        part_0 = hn::MulAdd(factor, hn::LoadU(f32, from), part_0);
        part_1 = hn::MulAdd(factor, hn::LoadU(f32, from + lanes), part_1);
      }
      sum_0 = hn::Add(sum_0, hn::ConvertTo(i32, part_0)), sum_1 = hn::Add(sum_1, hn::ConvertTo(i32, part_1));
    }
    put(j, sum_0), put(j + lanes, sum_1);
  }
}

void SumPlain(const double* a, const double* b, const size_t* at, int k, int n, double* sum) {
  const F64 f64;
  const int lanes = static_cast<int>(hn::Lanes(f64));
  for (int j = 0; j < n; j += lanes) {
    V64 total = hn::LoadU(f64, sum + j);
    for (int i = 0; i < k; ++i) total = hn::MulAdd(hn::Set(f64, a[i]), hn::LoadU(f64, b + at[i] + j), total);
    hn::StoreU(total, f64, sum + j);
  }
}

/// No sum of products that are exact in float leaves its range: it is infinite or no number where one is.
void SumPlainFloat(const float* a, const float* b, const size_t* at, int k, int n, double* sum) {
  const F32 f32;
  const F64 f64;
  const int lanes = static_cast<int>(hn::Lanes(f32)), half = static_cast<int>(hn::Lanes(f64));
  for (int j = 0; j < n; j += lanes) {
    auto total = hn::Set(f32, -0.0f);
    for (int i = 0; i < k; ++i) total = hn::MulAdd(hn::Set(f32, a[i]), hn::LoadU(f32, b + at[i] + j), total);
    for (int which = 0; which < halves; ++which) {
      double* const to = sum + j + which * half;
      const auto part = hn::BitCast(HalfF32(), HalfOf(hn::BitCast(I32(), total), which));
      hn::StoreU(hn::Add(hn::LoadU(f64, to), hn::PromoteTo(f64, part)), f64, to);
    }
  }
}

void GroupExponents(const GroupScales& scales, const int16_t* exponent, int zero_columns, int16_t* largest) {
  const F64 f64;
  const HalfI32 i32;
  const hn::Rebind<int16_t, F64> i16;
  const int lanes = static_cast<int>(hn::Lanes(f64));
  // No product counts where the scale of the row is zero.
  const auto limit = hn::Set(i32, scales.row == 0 ? INT32_MAX : live_limit);
  for (int j = 0; j < scales.n; j += lanes) {
    const auto product = hn::PromoteTo(i32, hn::LoadU(i16, exponent + j));
    const auto column = hn::LoadU(f64, scales.column + j);
    const auto counts =
        hn::DemoteTo(i32, hn::IfThenZeroElse(hn::Eq(column, hn::Zero(f64)), hn::Set(f64, 1.0)));
    auto live = hn::And(hn::Gt(product, limit), hn::Gt(counts, hn::Zero(i32)));
    live = hn::Or(live, hn::Lt(hn::Iota(i32, j), hn::Set(i32, zero_columns)));
    const auto scale = hn::Add(hn::LoadU(i32, scales.column_exponent + j), hn::Set(i32, scales.row_exponent));
    const auto before = hn::PromoteTo(i32, hn::LoadU(i16, largest + j));
    hn::StoreU(hn::DemoteTo(i16, hn::IfThenElse(live, hn::Max(before, scale), before)), i16, largest + j);
  }
}

template <class Cut>
HWY_INLINE void AddGroupWith(const Cut& cut, const GroupScales& scales, const double* products,
                             const int32_t* shift, double* sum) {
  const F64 f64;
  const HalfI32 i32;
  const int lanes = static_cast<int>(hn::Lanes(f64));
  const V64 row = hn::Set(f64, scales.row);
  // Exponents of scales are within 127 and shifts within 400: their sum is one of a double.
  for (int j = 0; j < scales.n; j += lanes) {
    const auto exponent = hn::Add(hn::LoadU(i32, scales.column_exponent + j),
                                  hn::Add(hn::LoadU(i32, shift + j), hn::Set(i32, scales.row_exponent)));
    const V64 scaled = hn::Mul(hn::LoadU(f64, products + j), hn::Mul(row, hn::LoadU(f64, scales.column + j)));
    const V64 term = cut(hn::Mul(scaled, PowerOfTwo(exponent)));
    hn::StoreU(hn::Add(hn::LoadU(f64, sum + j), term), f64, sum + j);
  }
}

void AddGroup(const GroupScales& scales, const double* products, const int32_t* shift,
              spec::Rounding rounding, double* sum) {
  if (rounding == spec::Rounding::toward_zero)
    AddGroupWith([](V64 x) HWY_ATTR { return hn::Trunc(x); }, scales, products, shift, sum);
  else
    AddGroupWith([rounding](V64 x) HWY_ATTR { return RoundTo(rounding, x); }, scales, products, shift, sum);
}

/// The chain of one vector of columns. The processor's own choice of a NaN differs from the tensor core's and
/// between forms of its instruction, so where one has come up the columns are gone over again.
template <class D, class Fma>
HWY_INLINE hn::Vec<D> ChainOf(D f64, const Fma& fma, const double* a, const double* b, const double* c, int k,
                              int n, double nan) {
  auto sum = hn::LoadU(f64, c);
  for (int i = 0; i < k; ++i) sum = fma(hn::Set(f64, a[i]), hn::LoadU(f64, b + i * n), sum);
  if (hn::AllFalse(f64, hn::IsNaN(sum))) return sum;
  const hn::RebindToUnsigned<D> u64;
  const auto quiet = hn::BitCast(f64, hn::Set(u64, uint64_t{1} << 51));
  sum = hn::LoadU(f64, c);
  for (int i = 0; i < k; ++i) {
    const auto x = hn::Set(f64, a[i]), y = hn::LoadU(f64, b + i * n);
    const auto next = fma(x, y, sum);
    auto chosen = hn::IfThenElse(hn::IsNaN(x), hn::Or(x, quiet), hn::Set(f64, nan));
    chosen = hn::IfThenElse(hn::IsNaN(sum), hn::Or(sum, quiet), chosen);
    chosen = hn::IfThenElse(hn::IsNaN(y), hn::Or(y, quiet), chosen);
    sum = hn::IfThenElse(hn::IsNaN(next), chosen, next);
  }
  return sum;
}

/// Intel's processors take a multiply-add that meets a subnormal number by microcode, at thirty times the
/// cost. So chains of such numbers are of numbers that are 2^up as large, which rounds alike down to the
/// least normal number there was, `bottom`. What is smaller was a whole multiple of the least subnormal
/// number, to which the multiply-add rounds once its addend is lifted to where those are its last bits,
/// between `bottom` and twice that, away from the sign that the addend has: so a usual addend keeps its bits.
/// Factors are 2^64 as large; C as much as the factors together.
constexpr int up_of_factor = 64;
constexpr uint64_t sign_of_f64 = uint64_t{1} << 63, mantissa_of_f64 = (uint64_t{1} << 52) - 1;
constexpr uint64_t exponent_of(int field) {
  return static_cast<uint64_t>(field) << 52;
}

/// x * 2^up, where IsTooLarge is false.
template <class D>
HWY_INLINE hn::Vec<D> ScaledUp(D f64, hn::Vec<D> x, int up) {
  const hn::RebindToUnsigned<D> u64;
  const auto bottom_bits = hn::Set(u64, exponent_of(up + 1)), bits = hn::BitCast(u64, x);
  const auto sign = hn::And(bits, hn::Set(u64, sign_of_f64)), magnitude = hn::Xor(bits, sign);
  const auto subnormal =
      hn::Sub(hn::BitCast(f64, hn::Or(magnitude, bottom_bits)), hn::BitCast(f64, bottom_bits));
  const auto is_subnormal = hn::Eq(hn::ShiftRight<52>(magnitude), hn::Zero(u64));
  const auto normal = hn::BitCast(f64, hn::Add(bits, hn::Set(u64, exponent_of(up))));
  return hn::IfThenElse(hn::RebindMask(f64, is_subnormal), hn::Or(subnormal, hn::BitCast(f64, sign)), normal);
}
template <class D>
HWY_INLINE hn::Vec<D> ScaledDown(D f64, hn::Vec<D> x, int up) {
  const hn::RebindToUnsigned<D> u64;
  const auto bottom = hn::BitCast(f64, hn::Set(u64, exponent_of(up + 1))), magnitude = hn::Abs(x);
  const auto subnormal = hn::And(hn::BitCast(u64, hn::Add(magnitude, bottom)), hn::Set(u64, mantissa_of_f64));
  const auto normal = hn::BitCast(f64, hn::Sub(hn::BitCast(u64, x), hn::Set(u64, exponent_of(up))));
  return hn::IfThenElse(hn::Lt(magnitude, bottom), hn::CopySign(hn::BitCast(f64, subnormal), x), normal);
}

/// Whether some number is none or too large to be scaled up.
template <class D>
HWY_INLINE hn::Mask<D> IsTooLarge([[maybe_unused]] D f64, hn::Vec<D> x, int up) {
  const hn::RebindToSigned<D> i64;
  const auto least = hn::Set(i64, static_cast<int64_t>(exponent_of(0x7ff - up)) - 1);
  return hn::RebindMask(f64, hn::Gt(hn::BitCast(i64, hn::Abs(x)), least));
}
/// Whether some number is none of 0 and below 2^(field - 1023): of field 1 a subnormal one.
template <class D>
HWY_INLINE bool AnySmall([[maybe_unused]] D f64, hn::Vec<D> x, int field) {
  const hn::RebindToSigned<D> i64;
  const auto magnitude = hn::BitCast(i64, hn::Abs(x));
  const auto least = hn::Set(i64, static_cast<int64_t>(exponent_of(field)));
  return !hn::AllFalse(i64, hn::And(hn::Gt(magnitude, hn::Zero(i64)), hn::Gt(least, magnitude)));
}

enum class Scaled : uint8_t { made, meets_subnormal, is_too_large };

/// ChainOf by scaled numbers: a is scaled so by `up`, which is 0 or up_of_factor; b here, or it has no
/// subnormal number. Nothing is made where a number is too large for that, or one that is lifted too large to
/// keep what it is lifted by.
template <bool scales_b, class D, class Fma>
HWY_INLINE Scaled ScaledChainOf(D f64, const Fma& fma, const double* a, int up, const double* b,
                                const double* c, int k, int n, double* d) {
  const hn::RebindToSigned<D> i64;
  if (scales_b) up += up_of_factor;
  const auto bottom = hn::BitCast(f64, hn::Set(hn::RebindToUnsigned<D>(), exponent_of(up + 1)));
  const auto twice = hn::Add(bottom, bottom);
  // From 2^53 times the least normal number on, that number is less than the last bit.
  const auto most = hn::Mul(bottom, hn::Set(f64, static_cast<double>(uint64_t{1} << 52)));
  auto sum = hn::LoadU(f64, c);
  auto fails = IsTooLarge(f64, sum, up);
  sum = ScaledUp(f64, sum, up);
  for (int i = 0; i < k; ++i) {
    const auto x = hn::Set(f64, a[i]);
    auto y = hn::LoadU(f64, b + i * n);
    if (scales_b) {
      fails = hn::Or(fails, IsTooLarge(f64, y, up_of_factor));
      y = ScaledUp(f64, y, up_of_factor);
    } else if (AnySmall(f64, y, 1)) {
      return Scaled::meets_subnormal;
    }
    const auto next = fma(x, y, sum);
    const auto is_small = hn::Lt(hn::Abs(next), bottom);
    const auto has_other_sign =
        hn::RebindMask(f64, hn::Lt(hn::BitCast(i64, hn::Xor(sum, next)), hn::Zero(i64)));
    const auto lift = hn::CopySign(hn::IfThenElse(has_other_sign, bottom, twice), hn::Neg(sum));
    const auto rounded = hn::Sub(fma(x, y, hn::Add(sum, lift)), lift);
    fails = hn::Or(fails, hn::And(is_small, hn::Gt(hn::Abs(sum), most)));
    sum = hn::IfThenElse(is_small, hn::CopySign(rounded, next), next);
  }
  if (!hn::AllFalse(f64, hn::Or(fails, hn::Not(hn::IsFinite(sum))))) return Scaled::is_too_large;
  hn::StoreU(ScaledDown(f64, sum, up), f64, d);
  return Scaled::made;
}

/// A row of A, scaled where it has a subnormal number.
struct ScaledRow {
  static constexpr int most = 16;
  double a[most];
  int up = 0;
  ScaledRow(const double* from, int k) {
    const hn::CappedTag<double, 1> f64;
    bool has_subnormal = false, is_too_large = false;
    for (int i = 0; i < k; ++i) {
      has_subnormal = has_subnormal || AnySmall(f64, hn::Set(f64, from[i]), 1);
      is_too_large = is_too_large || !hn::AllFalse(f64, IsTooLarge(f64, hn::Set(f64, from[i]), up_of_factor));
    }
    if (has_subnormal && !is_too_large) up = up_of_factor;
    for (int i = 0; i < k; ++i)
      a[i] = up == 0 ? from[i] : hn::GetLane(ScaledUp(f64, hn::Set(f64, from[i]), up));
  }
};

/// False where nothing is made. What C holds is so small that sums may be subnormal, or A has such a number.
template <class D, class Fma>
HWY_INLINE bool ScaledChain(D f64, const Fma& fma, const ScaledRow& row, const double* b, const double* c,
                            int k, int n, double* d) {
  Scaled how = Scaled::meets_subnormal;
  if (row.up != 0) how = ScaledChainOf<false>(f64, fma, row.a, row.up, b, c, k, n, d);
  if (how == Scaled::meets_subnormal) how = ScaledChainOf<true>(f64, fma, row.a, row.up, b, c, k, n, d);
  return how == Scaled::made;
}

void Chain(const double* a, const double* b, const double* c, int k, int n, double nan, double* d) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2
  const F64 f64;
  const auto fma = [](V64 x, V64 y, V64 sum) HWY_ATTR { return hn::MulAdd(x, y, sum); };
#else  // no vector has a multiply-add that rounds once
  const hn::CappedTag<double, 1> f64;
  const auto fma = [f64](auto x, auto y, auto sum) HWY_ATTR {
    return hn::Set(f64, std::fma(hn::GetLane(x), hn::GetLane(y), hn::GetLane(sum)));
  };
#endif
  const int lanes = static_cast<int>(hn::Lanes(f64));
  constexpr int small_field = 1023 - 960;
  const bool may_scale = k <= ScaledRow::most;
  bool a_has_subnormal = false;
  const hn::CappedTag<double, 1> one;
  for (int i = 0; may_scale && i < k; ++i)
    a_has_subnormal = a_has_subnormal || AnySmall(one, hn::Set(one, a[i]), 1);
  std::optional<ScaledRow> row;
  for (int j = 0; j < n; j += lanes) {
    if (may_scale && (a_has_subnormal || AnySmall(f64, hn::LoadU(f64, c + j), small_field))) {
      if (!row) row.emplace(a, k);
      if (ScaledChain(f64, fma, *row, b + j, c + j, k, n, d + j)) continue;
    }
    hn::StoreU(ChainOf(f64, fma, a, b + j, c + j, k, n, nan), f64, d + j);
  }
}

inline Kernels All() {
  return {hwy::TargetName(HWY_TARGET),
          Decode,
          Widen,
          MaxExponents,
          Prepare,
          SumFloat,
          SumDouble,
          SumIntegers,
          AddF16,
          AddF32,
          SumPlain,
          SumPlainFloat,
          GroupExponents,
          AddGroup,
          Finish,
          Chain,
          Survey,
          Kinds};
}

}  // namespace HWY_NAMESPACE
}  // namespace assay::numerics
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "reference/numerics/vector_versions.h"

namespace assay::numerics {

std::span<const Kernels> kernels_of_this_processor() {
  static const std::vector<Kernels> usable = ASSAY_USABLE_VERSIONS(All);
  return usable;
}

}  // namespace assay::numerics
#endif
