// SPDX-License-Identifier: Apache-2.0
// How codes become numbers and are added, and what is known of many: a part of fast_kernels.cc, which Highway
// includes once for each instruction set.
#if defined(ASSAY_FAST_DECODE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_FAST_DECODE_INL
#undef ASSAY_FAST_DECODE_INL
#else
#define ASSAY_FAST_DECODE_INL
#endif

#include <hwy/highway.h>
#include <algorithm>

#include "reference/numerics/fast_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace assay::numerics {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F64 = hn::ScalableTag<double>;
using I64 = hn::ScalableTag<int64_t>;
using F32 = hn::ScalableTag<float>;
using I32 = hn::ScalableTag<int32_t>;
using U32 = hn::ScalableTag<uint32_t>;
using HalfF32 = hn::Rebind<float, F64>;
using HalfI32 = hn::Rebind<int32_t, F64>;
using HalfU32 = hn::Rebind<uint32_t, F64>;
using V64 = hn::Vec<F64>;

/// 2^x for x in [-1022, 1023].
HWY_INLINE V64 PowerOfTwo(hn::Vec<I64> x) {
  const I64 i;
  return hn::BitCast(F64(), hn::ShiftLeft<52>(hn::Add(x, hn::Set(i, 1023))));
}
HWY_INLINE V64 PowerOfTwo(hn::Vec<HalfI32> x) {
  return PowerOfTwo(hn::PromoteTo(I64(), x));
}

/// Both halves of a vector of 32-bit integers in double.
#if HWY_TARGET == HWY_SCALAR
constexpr int halves = 1;
HWY_INLINE hn::Vec<HalfI32> HalfOf(hn::Vec<I32> x, int) {
  return x;
}
#else
constexpr int halves = 2;
HWY_INLINE hn::Vec<HalfI32> HalfOf(hn::Vec<I32> x, int which) {
  return which == 0 ? hn::LowerHalf(HalfI32(), x) : hn::UpperHalf(HalfI32(), x);
}
#endif

/// One vector of codes: the significand without its sign, the exponent of its lowest bit, and the rest.
struct DecodedCodes {
  hn::Vec<I32> significand, unit, exponent;
  hn::Vec<U32> sign;  ///< as that of a float
  hn::Mask<I32> is_special;
  hn::Vec<U32> of_special;  ///< its float, without the sign
};

HWY_INLINE DecodedCodes DecodeFloats(const DecodeRules& rules, hn::Vec<U32> code) {
  const I32 i32;
  const U32 u32;
  const auto one = hn::Set(i32, 1), top = hn::Set(i32, static_cast<int>(rules.exponent_mask));
  const auto mantissa_mask = hn::Set(i32, static_cast<int>(rules.mantissa_mask));
  const auto field = hn::BitCast(i32, hn::ShiftRightSame(code, rules.to_mantissa + rules.mantissa_bits));
  const auto exponent = hn::And(field, top);
  const auto mantissa = hn::And(hn::BitCast(i32, hn::ShiftRightSame(code, rules.to_mantissa)), mantissa_mask);
  DecodedCodes made;
  const auto is_signed = hn::Ne(hn::And(code, hn::Set(u32, rules.sign_bit)), hn::Zero(u32));
  made.sign = hn::IfThenElseZero(is_signed, hn::Set(u32, 0x80000000u));
  made.is_special = hn::MaskFromVec(hn::Zero(i32));
  if (rules.has_specials) {
    made.is_special = hn::Eq(exponent, top);
    if (!rules.has_infinity) made.is_special = hn::And(made.is_special, hn::Eq(mantissa, mantissa_mask));
    const auto is_infinity = hn::Eq(mantissa, hn::Zero(i32));
    made.of_special =
        hn::BitCast(u32, hn::IfThenElse(rules.has_infinity ? is_infinity : hn::MaskFromVec(hn::Zero(i32)),
                                        hn::Set(i32, 0x7f800000), hn::Set(i32, 0x7fc00000)));
  } else {
    made.of_special = hn::Zero(u32);
  }
  auto is_subnormal = hn::Eq(exponent, hn::Zero(i32));
  if (!rules.zero_exponent_is_subnormal) is_subnormal = hn::MaskFromVec(hn::Zero(i32));
  const auto leading_bit = hn::Add(mantissa_mask, one);
  auto significand = hn::Or(mantissa, hn::IfThenZeroElse(is_subnormal, leading_bit));
  significand = hn::IfThenZeroElse(made.is_special, significand);
  const auto leading = hn::Sub(hn::IfThenElse(is_subnormal, one, exponent), hn::Set(i32, rules.bias));
  made.significand = significand;
  made.unit = hn::Sub(leading, hn::Set(i32, rules.mantissa_bits));
  made.exponent = leading;
  if (!rules.subnormals_align_at_emin) {
    // A float says where the leading bit of an integer is.
    const auto bits = hn::BitCast(i32, hn::ConvertTo(F32(), significand));
    made.exponent = hn::Add(made.unit, hn::Sub(hn::ShiftRight<23>(bits), hn::Set(i32, 127)));
  }
  made.exponent = hn::IfThenElse(hn::Eq(significand, hn::Zero(i32)), hn::Set(i32, int{rules.zero_exponent}),
                                 made.exponent);
  return made;
}

HWY_INLINE DecodedCodes DecodeIntegers(const DecodeRules& rules, hn::Vec<U32> code) {
  const I32 i32;
  const U32 u32;
  const auto kept = hn::And(code, hn::Set(u32, (1u << rules.storage_bits) - 1));
  const auto is_negative =
      rules.is_signed ? hn::Ne(hn::And(code, hn::Set(u32, 1u << (rules.storage_bits - 1))), hn::Zero(u32))
                      : hn::MaskFromVec(hn::Zero(u32));
  const auto value = hn::Sub(kept, hn::IfThenElseZero(is_negative, hn::Set(u32, 1u << rules.storage_bits)));
  DecodedCodes made;
  made.significand = hn::BitCast(i32, value);
  made.unit = hn::Zero(i32);
  made.exponent = hn::IfThenElse(hn::Eq(made.significand, hn::Zero(i32)),
                                 hn::Set(i32, int{rules.zero_exponent}), hn::Zero(i32));
  made.sign = made.of_special = hn::Zero(u32);
  made.is_special = hn::MaskFromVec(hn::Zero(i32));
  return made;
}

bool Decode(const DecodeRules& rules, const uint32_t* codes, int n, const DecodedTo& to) {
  const I32 i32;
  const U32 u32;
  const F32 f32;
  const F64 f64;
  const hn::Rebind<int16_t, I32> i16;
  const int lanes = static_cast<int>(hn::Lanes(i32)), half = static_cast<int>(hn::Lanes(f64));
  auto special = hn::MaskFromVec(hn::Zero(i32));
  for (int j = 0; j < n; j += lanes) {
    const auto code = hn::LoadU(u32, codes + j);
    const DecodedCodes made = rules.is_integer ? DecodeIntegers(rules, code) : DecodeFloats(rules, code);
    special = hn::Or(special, made.is_special);
    hn::StoreU(hn::DemoteTo(i16, made.exponent), i16, to.exponent + j);
    if (to.value32 != nullptr) {
      const auto unit = hn::BitCast(f32, hn::ShiftLeft<23>(hn::Add(made.unit, hn::Set(i32, 127))));
      const auto value = hn::Mul(hn::ConvertTo(f32, made.significand), unit);
      hn::StoreU(hn::Or(value, hn::BitCast(f32, made.sign)), f32, to.value32 + j);
      if (to.plain32 != nullptr) {
        const auto plain =
            hn::IfThenElse(hn::RebindMask(f32, made.is_special), hn::BitCast(f32, made.of_special), value);
        hn::StoreU(hn::Or(plain, hn::BitCast(f32, made.sign)), f32, to.plain32 + j);
      }
    }
    if (to.value64 == nullptr && to.plain == nullptr) continue;
    for (int which = 0; which < halves; ++which) {
      const V64 size = hn::PromoteTo(f64, HalfOf(made.significand, which));
      V64 value = hn::Mul(size, PowerOfTwo(HalfOf(made.unit, which)));
      const auto sign = hn::PromoteTo(I64(), HalfOf(hn::BitCast(i32, made.sign), which));
      value = hn::Or(value, hn::BitCast(f64, hn::And(sign, hn::Set(I64(), INT64_MIN))));
      const int at = j + which * half;
      if (to.value64 != nullptr) hn::StoreU(value, f64, to.value64 + at);
      if (to.plain == nullptr) continue;
      const auto no_number = hn::VecFromMask(i32, made.is_special);
      const auto is_special =
          hn::RebindMask(f64, hn::Ne(hn::PromoteTo(I64(), HalfOf(no_number, which)), hn::Zero(I64())));
      const auto bits = hn::PromoteTo(I64(), HalfOf(hn::BitCast(i32, made.of_special), which));
      // The exponent of all ones widened, and the sign and the top of the mantissa where they belong.
      const auto top = hn::And(hn::ShiftLeft<29>(bits), hn::Set(I64(), 0x000fffffffffffff));
      const auto wide =
          hn::Or(hn::Or(top, hn::Set(I64(), 0x7ff0000000000000)), hn::And(sign, hn::Set(I64(), INT64_MIN)));
      hn::StoreU(hn::IfThenElse(is_special, hn::BitCast(f64, wide), value), f64, to.plain + at);
    }
  }
  return !hn::AllFalse(i32, special);
}

/// f16 in the low halves, infinities and NaN included. No subnormal float on the way: they are slow.
HWY_INLINE hn::Vec<F32> FloatOfF16(hn::Vec<U32> code) {
  const U32 u32;
  const F32 f32;
#if HWY_TARGET == HWY_AVX3
  return hn::Vec<F32>{_mm512_cvtph_ps(_mm512_cvtepi32_epi16(code.raw))};
#elif HWY_TARGET == HWY_AVX2
  const auto packed = hn::TruncateTo(hn::Rebind<uint16_t, U32>(), code);
  return hn::Vec<F32>{_mm256_cvtph_ps(packed.raw)};
#else
  const auto magnitude = hn::And(code, hn::Set(u32, 0x7fff));
  const auto sign = hn::BitCast(f32, hn::ShiftLeft<16>(hn::And(code, hn::Set(u32, 0x8000))));
  const auto shifted = hn::ShiftLeft<13>(magnitude);
  const auto normal = hn::BitCast(f32, hn::Add(shifted, hn::Set(u32, 112u << 23)));
  const auto special = hn::BitCast(f32, hn::Or(shifted, hn::Set(u32, 0x7f800000)));
  const auto subnormal = hn::Mul(hn::ConvertTo(f32, hn::BitCast(I32(), magnitude)), hn::Set(f32, 0x1p-24f));
  auto value = hn::IfThenElse(hn::RebindMask(f32, hn::Lt(magnitude, hn::Set(u32, 0x400))), subnormal, normal);
  value = hn::IfThenElse(hn::RebindMask(f32, hn::Gt(magnitude, hn::Set(u32, 0x7bff))), special, value);
  return hn::Or(value, sign);
#endif
}

void Widen(const uint32_t* codes, bool are_f16, int n, double* values) {
  const U32 u32;
  const F64 f64;
  const int lanes = static_cast<int>(hn::Lanes(u32)), half = static_cast<int>(hn::Lanes(f64));
  for (int j = 0; j < n; j += lanes) {
    const auto code = hn::LoadU(u32, codes + j);
    const auto bits = hn::BitCast(I32(), are_f16 ? FloatOfF16(code) : hn::BitCast(F32(), code));
    for (int which = 0; which < halves; ++which)
      hn::StoreU(hn::PromoteTo(f64, hn::BitCast(HalfF32(), HalfOf(bits, which))), f64,
                 values + j + which * half);
  }
}

/// The sum of two f16 rounds to float and then to f16 as it would at once: 24 bits are 2 * 11 + 2. Sums that
/// are subnormal f16 are exact in both.
void AddF16(const uint32_t* c, int n, uint32_t nan, uint32_t* d) {
  const F32 f32;
  const U32 u32;
  const I32 i32;
  const int lanes = static_cast<int>(hn::Lanes(f32));
  for (int j = 0; j < n; j += lanes) {
    const auto sum = hn::Add(FloatOfF16(hn::LoadU(u32, d + j)), FloatOfF16(hn::LoadU(u32, c + j)));
    const auto bits = hn::BitCast(u32, sum), magnitude = hn::And(bits, hn::Set(u32, 0x7fffffff));
    const auto odd = hn::And(hn::ShiftRight<13>(magnitude), hn::Set(u32, 1));
    const auto rounded = hn::ShiftRight<13>(hn::Add(hn::Add(magnitude, hn::Set(u32, 0xfff)), odd));
    auto code = hn::Min(hn::Sub(rounded, hn::Set(u32, 112u << 10)), hn::Set(u32, 0x7c00));
    const auto is_small = hn::Lt(magnitude, hn::Set(u32, 0x38800000));  // 2^-14
    const auto scaled =
        hn::Mul(hn::BitCast(f32, hn::IfThenElseZero(is_small, magnitude)), hn::Set(f32, 0x1p24f));
    code = hn::IfThenElse(is_small, hn::BitCast(u32, hn::ConvertTo(i32, scaled)), code);
    code = hn::Or(code, hn::And(hn::ShiftRight<16>(bits), hn::Set(u32, 0x8000)));
    code = hn::IfThenElse(hn::Gt(magnitude, hn::Set(u32, 0x7f800000)), hn::Set(u32, nan), code);
    hn::StoreU(code, u32, d + j);
  }
}

void AddF32(const uint32_t* c, int n, uint32_t nan, uint32_t* d) {
  const F32 f32;
  const int lanes = static_cast<int>(hn::Lanes(f32));
  for (int j = 0; j < n; j += lanes) {
    const auto sum =
        hn::Add(hn::BitCast(f32, hn::LoadU(U32(), d + j)), hn::BitCast(f32, hn::LoadU(U32(), c + j)));
    const auto is_nan = hn::RebindMask(U32(), hn::IsNaN(sum));
    hn::StoreU(hn::IfThenElse(is_nan, hn::Set(U32(), nan), hn::BitCast(U32(), sum)), U32(), d + j);
  }
}

/// The lanes of what a survey has seen, together.
template <typename Join>
uint32_t Joined(hn::Vec<U32> seen, uint32_t of_none, const Join& join) {
  HWY_ALIGN uint32_t lanes[hn::MaxLanes(U32())];
  hn::Store(seen, U32(), lanes);
  for (const uint32_t lane : lanes) of_none = join(of_none, lane);
  return of_none;
}

CodeSurvey Survey(const CodeFields& fields, std::span<const uint32_t> codes) {
  const U32 u32;
  const I32 i32;
  const auto zero = hn::Zero(i32), one = hn::Set(i32, 1);
  const int mantissa_bits = fields.mantissa_bits();
  const auto size_mask = hn::Set(u32, fields.exponent_mask << mantissa_bits | fields.mantissa_mask);
  const auto infinity = hn::Set(i32, static_cast<int32_t>(fields.no_number << mantissa_bits));
  auto all = hn::Zero(u32), lowest = hn::Set(u32, ~0u);
  auto counted = zero, highest = zero;
  auto infinite = hn::MaskFromVec(zero);
  const size_t lanes = hn::Lanes(u32);
  // Zeros fill a last vector that is the only one: they count nowhere. Another one may have codes of the one
  // before. No call is in the loop, which keeps all in registers.
  HWY_ALIGN uint32_t few[hn::MaxLanes(U32())] = {};
  if (codes.size() < lanes) std::copy(codes.begin(), codes.end(), few);
  const uint32_t* const from = codes.size() < lanes ? few : codes.data();
  const size_t count = std::max(codes.size(), lanes);
  for (size_t i = 0; i < count; i += lanes) {
    const auto code = hn::LoadU(u32, from + std::min(i, count - lanes));
    const auto size = hn::BitCast(i32, hn::And(hn::ShiftRightSame(code, fields.to_mantissa), size_mask));
    const auto finite = hn::IfThenElseZero(hn::Lt(size, infinity), size);
    all = hn::Or(all, code);
    counted = hn::Or(counted, finite);
    highest = hn::Max(highest, finite);
    lowest = hn::Min(lowest, hn::BitCast(u32, hn::Sub(finite, one)));  // that of none is the largest
    infinite = hn::Or(infinite, hn::Eq(size, infinity));
  }
  const auto either = [](uint32_t x, uint32_t y) { return x | y; };
  const uint32_t least = Joined(lowest, ~0u, [](uint32_t x, uint32_t y) { return std::min(x, y); });
  return {
      .all = Joined(all, 0, either),
      .counted = Joined(hn::BitCast(u32, counted), 0, either),
      .highest = Joined(hn::BitCast(u32, highest), 0, [](uint32_t x, uint32_t y) { return std::max(x, y); }),
      .lowest = least == ~0u ? least : least + 1,
      .has_infinity = !hn::AllFalse(i32, infinite)};
}

CodeKinds Kinds(uint32_t magnitude, uint32_t infinity, std::span<const uint32_t> codes) {
  const U32 u32;
  const auto mask = hn::Set(u32, magnitude), limit = hn::Set(u32, infinity);
  auto zero = hn::MaskFromVec(hn::Zero(u32)), infinite = zero, nan = zero;
  const size_t lanes = hn::Lanes(u32), whole = codes.size() / lanes * lanes;
  for (size_t i = 0; i < whole; i += lanes) {
    const auto size = hn::And(hn::LoadU(u32, codes.data() + i), mask);
    zero = hn::Or(zero, hn::Eq(size, hn::Zero(u32)));
    infinite = hn::Or(infinite, hn::Eq(size, limit));
    nan = hn::Or(nan, hn::Gt(size, limit));
  }
  CodeKinds seen{!hn::AllFalse(u32, zero), !hn::AllFalse(u32, infinite), !hn::AllFalse(u32, nan)};
  for (const uint32_t code : codes.subspan(whole)) {
    seen.zero |= (code & magnitude) == 0;
    seen.infinity |= (code & magnitude) == infinity;
    seen.nan |= (code & magnitude) > infinity;
  }
  return seen;
}

}  // namespace HWY_NAMESPACE
}  // namespace assay::numerics
HWY_AFTER_NAMESPACE();

#endif
