// SPDX-License-Identifier: Apache-2.0
// How sums are rounded to D: a part of fast_kernels.cc, which Highway includes once for each instruction set.
#if defined(ASSAY_FAST_FINISH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_FAST_FINISH_INL
#undef ASSAY_FAST_FINISH_INL
#else
#define ASSAY_FAST_FINISH_INL
#endif

#include <hwy/highway.h>

#include "reference/numerics/fast_decode_inl.h"
#include "reference/numerics/fast_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace assay::numerics {
namespace HWY_NAMESPACE {

HWY_INLINE V64 RoundTo(spec::Rounding rounding, V64 x) {
  switch (rounding) {
    case spec::Rounding::toward_zero:
      return hn::Trunc(x);
    case spec::Rounding::nearest_even:
      return hn::Round(x);
    case spec::Rounding::up:
      return hn::Ceil(x);
    case spec::Rounding::down:
      return hn::Floor(x);
    case spec::Rounding::nearest_away:
      break;
  }
  // Exact as long as |x| is below 2^52.
  const V64 magnitude = hn::Trunc(hn::Add(hn::Abs(x), hn::Set(F64(), 0.5)));
  return hn::CopySignToAbs(magnitude, x);
}

/// Codes of f16 for finite values that f16 has.
HWY_INLINE hn::Vec<HalfU32> CodesOfF16(hn::Vec<HalfF32> value) {
  const HalfU32 u32;
#if HWY_TARGET == HWY_AVX3
  return hn::Vec<HalfU32>{_mm256_cvtepu16_epi32(_mm256_cvtps_ph(value.raw, _MM_FROUND_NO_EXC))};
#elif HWY_TARGET == HWY_AVX2
  return hn::Vec<HalfU32>{_mm_cvtepu16_epi32(_mm_cvtps_ph(value.raw, _MM_FROUND_NO_EXC))};
#else
  const HalfF32 f32;
  const auto bits = hn::BitCast(u32, value);
  const auto sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(u32, 0x8000));
  const auto magnitude = hn::Abs(value);
  const auto normal = hn::ShiftRight<13>(hn::Sub(hn::BitCast(u32, magnitude), hn::Set(u32, 112u << 23)));
  const auto small = hn::Lt(magnitude, hn::Set(f32, 0x1p-14f));
  const auto subnormal = hn::BitCast(
      u32, hn::ConvertTo(HalfI32(), hn::Mul(hn::IfThenElseZero(small, magnitude), hn::Set(f32, 0x1p24f))));
  return hn::Or(hn::IfThenElse(hn::RebindMask(u32, small), subnormal, normal), sign);
#endif
}

/// Columns j and on of a row, whatever they hold.
void FinishAny(const RowRules& rules, const Row& row, int j) {
  const F64 f64;
  const I64 i64;
  const HalfF32 f32;
  const HalfI32 i32;
  const HalfU32 u32;
  const auto kept = hn::Set(i32, rules.kept_bits);
  const V64 zero = hn::Zero(f64), minus_zero = hn::Set(f64, -0.0);
  const V64 input_scale = PowerOfTwo(hn::Set(i32, -rules.scale_input_d));
  const auto result_unit = hn::Set(i64, rules.result_bits - 1);
  const auto alignment = hn::LoadU(i32, row.alignment + j);
  const V64 c = hn::Mul(hn::PromoteTo(f64, hn::LoadU(f32, row.c_value + j)), input_scale);
  const V64 cut_c = RoundTo(rules.term_rounding, hn::Mul(c, PowerOfTwo(hn::Sub(kept, alignment))));
  const V64 sum = hn::Add(hn::LoadU(f64, row.sum + j), cut_c);
  const V64 value = hn::Mul(sum, PowerOfTwo(hn::Sub(alignment, kept)));
  // Exponent of the leading bit; that of zero is far below emin.
  const auto field = hn::And(hn::ShiftRight<52>(hn::BitCast(i64, value)), hn::Set(i64, 0x7ff));
  const auto leading = hn::Max(hn::Sub(field, hn::Set(i64, 1023)), hn::Set(i64, rules.emin));
  const V64 units = hn::Mul(value, PowerOfTwo(hn::Sub(result_unit, leading)));
  V64 result = hn::Mul(RoundTo(rules.result_rounding, units), PowerOfTwo(hn::Sub(leading, result_unit)));
  V64 zero_result = zero;
  if (rules.underflow_keeps_sign) zero_result = hn::IfThenElse(hn::Lt(sum, zero), minus_zero, zero_result);
  if (rules.all_minus_zero_gives_minus_zero) {
    const V64 plain = hn::LoadU(f64, row.plain + j);
    const auto is_minus_zero = hn::Eq(hn::BitCast(i64, plain), hn::BitCast(i64, minus_zero));
    zero_result = hn::IfThenElse(hn::And(hn::Eq(sum, zero), hn::RebindMask(f64, is_minus_zero)), minus_zero,
                                 zero_result);
  }
  result = hn::IfThenElse(hn::Eq(result, zero), zero_result, result);
  auto nan = hn::MaskFromVec(hn::Zero(f64));
  if (row.plain != nullptr) {
    const V64 plain = hn::LoadU(f64, row.plain + j);
    nan = hn::IsNaN(plain);
    result = hn::IfThenElse(hn::Gt(hn::Abs(plain), hn::Set(f64, 0x1p1000)), plain, result);
    result = hn::IfThenElse(nan, zero, result);
  }
  // Conversions of what float does not have differ between instruction sets: infinities go round them.
  const auto large = hn::Ge(hn::Abs(result), hn::Set(f64, rules.d_is_f16 ? 0x1p16 : 0x1p128));
  const V64 infinity_sign = hn::IfThenElseZero(large, hn::CopySignToAbs(hn::Set(f64, 1.0), result));
  const auto narrow = hn::DemoteTo(f32, hn::IfThenZeroElse(large, result));
  auto code = rules.d_is_f16 ? CodesOfF16(narrow) : hn::BitCast(u32, narrow);
  const auto infinity = hn::DemoteTo(f32, infinity_sign);
  const auto sign = hn::ShiftRightSame(hn::And(hn::BitCast(u32, infinity), hn::Set(u32, 0x80000000)),
                                       rules.d_is_f16 ? 16 : 0);
  code = hn::IfThenElse(hn::RebindMask(u32, hn::Ne(infinity, hn::Zero(f32))),
                        hn::Or(sign, hn::Set(u32, rules.d_is_f16 ? 0x7c00 : 0x7f800000)), code);
  if (row.plain != nullptr) {
    const auto narrow_nan = hn::DemoteTo(f32, hn::IfThenElse(nan, hn::Set(f64, 1.0), zero));
    code =
        hn::IfThenElse(hn::RebindMask(u32, hn::Ne(narrow_nan, hn::Zero(f32))), hn::Set(u32, rules.nan), code);
  }
  hn::StoreU(code, u32, row.d + j);
}

/// Sums rounded as tensor cores mostly do: toward zero to f32 or to nearest even to f16. False where a column
/// is a subnormal number of f32.
template <bool to_f16>
HWY_INLINE bool FinishUsual(const RowRules& rules, const Row& row, int j) {
  const F64 f64;
  const I64 i64;
  const hn::RebindToUnsigned<I64> u64;
  const HalfF32 f32;
  const HalfU32 u32;
  const auto up = hn::PromoteTo(
      i64, hn::Sub(hn::Set(HalfI32(), rules.kept_bits), hn::LoadU(HalfI32(), row.alignment + j)));
  const auto one = hn::Set(i64, 1023);
  const V64 scale = hn::BitCast(f64, hn::ShiftLeft<52>(hn::Add(one, up)));
  const V64 unit = hn::BitCast(f64, hn::ShiftLeft<52>(hn::Sub(one, up)));
  const V64 c = hn::PromoteTo(f64, hn::LoadU(f32, row.c_value + j));
  const V64 sum = hn::Add(hn::LoadU(f64, row.sum + j), hn::Trunc(hn::Mul(c, scale)));
  // No zero of a sum is negative.
  const V64 value = hn::Add(hn::Mul(sum, unit), hn::Zero(f64));
  V64 result;
  if (to_f16) {
    // 2^52 units of the result, and half as many again, leave a sum no bits below its unit.
    const V64 leading = hn::And(value, hn::BitCast(f64, hn::Set(u64, uint64_t{0x7ff} << 52)));
    const V64 far = hn::Mul(hn::Max(leading, hn::Set(f64, 0x1p-14)), hn::Set(f64, 0x1.8p42));
    result = hn::Sub(hn::Add(value, far), far);
  } else {
    const int dropped = 53 - rules.result_bits;
    result = hn::And(value, hn::BitCast(f64, hn::Set(u64, ~((uint64_t{1} << dropped) - 1))));
    const auto small = hn::Lt(hn::Abs(result), hn::Set(f64, 0x1p-126));
    if (!hn::AllFalse(f64, hn::AndNot(hn::Eq(result, hn::Zero(f64)), small))) return false;
  }
  auto is_large = hn::Ge(hn::Abs(result), hn::Set(f64, to_f16 ? 0x1p16 : 0x1p128));
  auto is_nan = hn::MaskFromVec(hn::Zero(f64));
  if (row.plain != nullptr) {
    const V64 plain = hn::LoadU(f64, row.plain + j);
    is_nan = hn::IsNaN(plain);
    const auto is_infinite = hn::Gt(hn::Abs(plain), hn::Set(f64, 0x1p1000));
    result = hn::IfThenElse(is_infinite, plain, result);
    is_large = hn::Or(is_large, hn::Or(is_nan, is_infinite));
  }
  const auto codes_of = [&](V64 x) HWY_ATTR {
    const auto narrow = hn::DemoteTo(f32, x);
    return to_f16 ? CodesOfF16(narrow) : hn::BitCast(u32, narrow);
  };
  if (hn::AllFalse(f64, is_large)) {
    hn::StoreU(codes_of(result), u32, row.d + j);
    return true;
  }
  const auto sign = hn::ShiftRight < to_f16
                        ? 48
                        : 32 > (hn::And(hn::BitCast(u64, result), hn::Set(u64, uint64_t{1} << 63)));
  const auto infinity = hn::Or(sign, hn::Set(u64, to_f16 ? 0x7c00 : 0x7f800000));
  const auto no_number = hn::IfThenElse(hn::RebindMask(u64, is_nan), hn::Set(u64, rules.nan), infinity);
  const auto number = hn::PromoteTo(u64, codes_of(hn::IfThenZeroElse(is_large, result)));
  const auto code = hn::IfThenElse(hn::RebindMask(u64, is_large), no_number, number);
  hn::StoreU(hn::TruncateTo(u32, code), u32, row.d + j);
  return true;
}

template <bool to_f16>
void FinishMostlyUsual(const RowRules& rules, const Row& row) {
  const int lanes = static_cast<int>(hn::Lanes(F64()));
  for (int j = 0; j < row.n; j += lanes)
    if (!FinishUsual<to_f16>(rules, row, j)) FinishAny(rules, row, j);
}

void Finish(const RowRules& rules, const Row& row) {
  const bool is_usual = !rules.all_minus_zero_gives_minus_zero && !rules.underflow_keeps_sign &&
                        rules.term_rounding == spec::Rounding::toward_zero && rules.scale_input_d == 0;
  const bool cuts_f32 =
      !rules.d_is_f16 && rules.result_bits <= 24 && rules.result_rounding == spec::Rounding::toward_zero;
  const bool rounds_f16 =
      rules.d_is_f16 && rules.result_bits == 11 && rules.result_rounding == spec::Rounding::nearest_even;
  if (is_usual && cuts_f32) return FinishMostlyUsual<false>(rules, row);
  if (is_usual && rounds_f16) return FinishMostlyUsual<true>(rules, row);
  const int lanes = static_cast<int>(hn::Lanes(F64()));
  for (int j = 0; j < row.n; j += lanes) FinishAny(rules, row, j);
}

}  // namespace HWY_NAMESPACE
}  // namespace assay::numerics
HWY_AFTER_NAMESPACE();

#endif
