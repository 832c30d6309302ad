// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <utility>

#include "reference/model/as_if.h"
#include "reference/model/reduction.h"

/// Bends of the arithmetic of asynchronous reductions.
namespace assay::model {
namespace {

using spec::ReduceOp;
using spec::ReduceType;
using spec::Reduction;
using R = Reduction;

/// Of a floating-point type: bits of the fraction and all bits; nothing for integers.
struct Float {
  int fraction = 0, bits = 0;
  uint64_t sign() const { return uint64_t{1} << (bits - 1); }
  uint64_t magnitude(uint64_t value) const { return value & (sign() - 1); }
  uint64_t infinity() const { return (sign() - 1) >> fraction << fraction; }
  uint64_t quiet() const { return uint64_t{1} << (fraction - 1); }
  bool is_nan(uint64_t value) const { return magnitude(value) > infinity(); }
  bool is_subnormal(uint64_t value) const { return magnitude(value) >> fraction == 0; }
};
Float float_of(const R& r) {
  switch (r.type) {
    case ReduceType::f16:
      return {10, 16};
    case ReduceType::bf16:
      return {7, 16};
    case ReduceType::f32:
    case ReduceType::f32_ftz:
      return {23, 32};
    case ReduceType::f64:
      return {52, 64};
    default:
      return {};
  }
}
bool is_float(const R& r) {
  return float_of(r).bits != 0;
}
bool adds_floats(const R& r) {
  return r.op == ReduceOp::add && is_float(r);
}
bool is_extreme(const R& r) {
  return r.op == ReduceOp::min || r.op == ReduceOp::max;
}
uint64_t type_mask(const R& r) {
  return ~uint64_t{0} >> (64 - 8 * spec::bytes_of(r.type));
}
uint64_t flushed(const R& r, uint64_t value) {
  const Float f = float_of(r);
  return f.is_subnormal(value) ? value & f.sign() : value;
}
bool gives_nan(const R& r, uint64_t right) {
  return adds_floats(r) && float_of(r).is_nan(right);
}

/// The exact sum of two finite numbers lies further from zero than `sum`, strictly: it was rounded towards
/// zero. Compared in a format wide enough for what the difference of f32, f16 and bf16 sums needs; of f64 by
/// the error term of the sum.
template <typename T>
int side_of(T a, T b, T sum) {
  const T bb = sum - a, error = (a - (sum - bb)) + (b - bb);
  return error == 0 ? 0 : (error > 0) == (sum >= 0) ? 1 : -1;
}
double value_of(const R& r, uint64_t bits) {
  switch (r.type) {
    case ReduceType::f16: {
      const int exponent = static_cast<int>(bits >> 10 & 31);
      const double fraction = static_cast<double>(bits & 1023) / 1024;
      const double magnitude =
          exponent == 0 ? fraction * 0x1p-14
                        : (1 + fraction) * std::bit_cast<double>(uint64_t(exponent - 15 + 1023) << 52);
      return bits >> 15 != 0 ? -magnitude : magnitude;
    }
    case ReduceType::bf16:
      return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
    case ReduceType::f32:
    case ReduceType::f32_ftz:
      return std::bit_cast<float>(static_cast<uint32_t>(bits));
    default:
      return std::bit_cast<double>(bits);
  }
}
/// +1: the exact sum is larger in magnitude than the result, -1: smaller, 0: equal, or not of finite numbers.
int inexactness(const R& r, uint64_t old, uint64_t operand, uint64_t right) {
  const Float f = float_of(r);
  for (const uint64_t value : {old, operand})
    if (f.magnitude(value) >= f.infinity()) return 0;
  if (f.magnitude(right) == f.infinity()) return -1;
  const double a = value_of(r, old), b = value_of(r, operand), sum = value_of(r, right);
  if (f.bits == 64) return side_of(a, b, sum);
  // The sum of two short numbers in f64 is off by less than anything that matters here.
  const double exact = a + b;
  if (exact == sum) return side_of(a, b, exact);
  return (std::abs(exact) > std::abs(sum)) ? 1 : -1;
}
uint64_t towards_zero(const R& r, uint64_t old, uint64_t operand, uint64_t right) {
  return adds_floats(r) && inexactness(r, old, operand, right) < 0 ? right - 1 : right;
}
uint64_t away_from_zero(const R& r, uint64_t old, uint64_t operand, uint64_t right) {
  return adds_floats(r) && inexactness(r, old, operand, right) > 0 ? right + 1 : right;
}
template <ReduceType type>
uint64_t towards_zero_of(const R& r, uint64_t old, uint64_t operand, uint64_t right) {
  return r.type == type ? towards_zero(r, old, operand, right) : right;
}

/// Integers compared as if their type had the other sign.
uint64_t other_order(const R& r, uint64_t old, uint64_t operand, uint64_t right) {
  if (!is_extreme(r) || is_float(r)) return right;
  constexpr std::pair<ReduceType, ReduceType> others[] = {{ReduceType::u32, ReduceType::s32},
                                                          {ReduceType::s32, ReduceType::u32},
                                                          {ReduceType::u64, ReduceType::s64},
                                                          {ReduceType::s64, ReduceType::u64}};
  for (const auto& [type, other] : others)
    if (type == r.type) return reduced({r.op, other}, old, operand);
  return right;
}
uint64_t saturated(const R& r, uint64_t old, uint64_t operand, uint64_t right) {
  if (r.op != ReduceOp::add || is_float(r)) return right;
  return right < old || right < operand ? type_mask(r) : right;
}
uint64_t without_carry(const R& r, uint64_t old, uint64_t operand, uint64_t right) {
  if (r.op != ReduceOp::add || is_float(r) || type_mask(r) >> 32 == 0) return right;
  constexpr uint64_t low = 0xffffffff;
  return ((old >> 32) + (operand >> 32)) << 32 | ((old + operand) & low);
}

/// A NaN of an operand, that of `first` before the other, passed on; quiet or as it was.
template <bool operand_first, bool quietens>
uint64_t nan_passed_on(const R& r, uint64_t old, uint64_t operand, uint64_t right) {
  if (!gives_nan(r, right)) return right;
  const Float f = float_of(r);
  const uint64_t first = operand_first ? operand : old, second = operand_first ? old : operand;
  const uint64_t nan = f.is_nan(first) ? first : f.is_nan(second) ? second : right;
  return quietens ? nan | f.quiet() : nan;
}

constexpr Bend arithmetic_bends[] = {
    as_if("BULK-R13", "integers were compared with the other sign", &ReductionBend::result, other_order),
    as_if("BULK-R13", "sums of integers stayed at the largest number", &ReductionBend::result, saturated),
    as_if("BULK-R13", "nothing were carried into the upper 32 bits", &ReductionBend::result, without_carry),
    as_if("BULK-R13", "inc counted an element that equals its operand on", &ReductionBend::result,
          [](const R& r, uint64_t old, uint64_t operand, uint64_t right) {
            return r.op == ReduceOp::inc && old == operand ? (old + 1) & type_mask(r) : right;
          }),
    as_if("BULK-R13", "inc never gave 0 for an element above its operand", &ReductionBend::result,
          [](const R& r, uint64_t old, uint64_t operand, uint64_t right) {
            return r.op == ReduceOp::inc && old > operand ? (old + 1) & type_mask(r) : right;
          }),
    as_if("BULK-R13", "dec counted an element above its operand down", &ReductionBend::result,
          [](const R& r, uint64_t old, uint64_t operand, uint64_t right) {
            return r.op == ReduceOp::dec && old > operand ? old - 1 : right;
          }),
    as_if("BULK-R13", "dec counted 0 down to the largest number", &ReductionBend::result,
          [](const R& r, uint64_t old, uint64_t, uint64_t right) {
            return r.op == ReduceOp::dec && old == 0 ? type_mask(r) : right;
          }),
    as_if("BULK-R14", "sums were rounded towards zero", &ReductionBend::result, towards_zero),
    as_if("BULK-R14", "sums of f16 were rounded towards zero", &ReductionBend::result,
          towards_zero_of<ReduceType::f16>),
    as_if("BULK-R14", "sums of bf16 were rounded towards zero", &ReductionBend::result,
          towards_zero_of<ReduceType::bf16>),
    as_if("BULK-R14", "sums were rounded away from zero", &ReductionBend::result, away_from_zero),
    as_if("BULK-R14", "subnormals were flushed", &ReductionBend::result,
          [](const R& r, uint64_t old, uint64_t operand, uint64_t right) {
            return adds_floats(r) ? flushed(r, reduced(r, flushed(r, old), flushed(r, operand))) : right;
          }),
    as_if("BULK-R15", "add.f32 flushed subnormals", &ReductionBend::result,
          [](const R& r, uint64_t old, uint64_t operand, uint64_t right) {
            return r.op == ReduceOp::add && r.type == ReduceType::f32
                       ? reduced({r.op, ReduceType::f32_ftz}, old, operand)
                       : right;
          }),
    as_if("BULK-R16", "a NaN of shared memory were passed on", &ReductionBend::result,
          nan_passed_on<true, false>),
    as_if("BULK-R16", "a NaN of shared memory were made quiet and passed on", &ReductionBend::result,
          nan_passed_on<true, true>),
    as_if("BULK-R16", "a NaN of the destination came first", &ReductionBend::result,
          nan_passed_on<false, false>),
    as_if("BULK-R16", "a NaN of the destination were made quiet and came first", &ReductionBend::result,
          nan_passed_on<false, true>),
    as_if("BULK-R16", "a sum that is a NaN were the quiet NaN of its type", &ReductionBend::result,
          [](const R& r, uint64_t, uint64_t, uint64_t right) {
            const Float f = float_of(r);
            return gives_nan(r, right) ? f.infinity() | f.quiet() : right;
          }),
    as_if("BULK-R16", "a sum that is a NaN had its sign set", &ReductionBend::result,
          [](const R& r, uint64_t, uint64_t, uint64_t right) {
            return gives_nan(r, right) ? right | float_of(r).sign() : right;
          }),
    as_if("BULK-R17", "a NaN won over a number", &ReductionBend::result,
          [](const R& r, uint64_t old, uint64_t operand, uint64_t right) {
            if (!is_extreme(r) || !is_float(r)) return right;
            const Float f = float_of(r);
            return f.is_nan(old) || f.is_nan(operand) ? f.sign() - 1 : right;
          }),
    as_if("BULK-R17", "a NaN won over a number as it was", &ReductionBend::result,
          [](const R& r, uint64_t old, uint64_t operand, uint64_t right) {
            if (!is_extreme(r) || !is_float(r)) return right;
            const Float f = float_of(r);
            return f.is_nan(old) ? old : f.is_nan(operand) ? operand : right;
          }),
    as_if("BULK-R17", "zeros of either sign were equal", &ReductionBend::result,
          [](const R& r, uint64_t old, uint64_t operand, uint64_t right) {
            if (!is_extreme(r) || !is_float(r)) return right;
            const Float f = float_of(r);
            return f.magnitude(old) == 0 && f.magnitude(operand) == 0 ? old : right;
          }),
    as_if("TILE-R57", "f32.ftz kept subnormals", &ReductionBend::result,
          [](const R& r, uint64_t old, uint64_t operand, uint64_t right) {
            return r.type == ReduceType::f32_ftz ? reduced({r.op, ReduceType::f32}, old, operand) : right;
          }),
    as_if("TILE-R57", "f32.ftz flushed operands alone", &ReductionBend::result,
          [](const R& r, uint64_t old, uint64_t operand, uint64_t right) {
            return r.type == ReduceType::f32_ftz
                       ? reduced({r.op, ReduceType::f32}, flushed(r, old), flushed(r, operand))
                       : right;
          }),
    as_if("TILE-R57", "f32.ftz flushed results alone", &ReductionBend::result,
          [](const R& r, uint64_t old, uint64_t operand, uint64_t right) {
            return r.type == ReduceType::f32_ftz ? flushed(r, reduced({r.op, ReduceType::f32}, old, operand))
                                                 : right;
          }),
    as_if("TILE-R56", "an element were replaced, not reduced", &ReductionBend::result,
          [](const R&, uint64_t, uint64_t operand, uint64_t) { return operand; }),
    as_if("TILE-R56", "an element were left as it was", &ReductionBend::result,
          [](const R&, uint64_t old, uint64_t, uint64_t) { return old; }),
    as_if("BULK-R18", "a reduction were lost", &ReductionBend::result,
          [](const R&, uint64_t old, uint64_t, uint64_t) { return old; }),
};

}  // namespace

std::span<const Bend> reduction_bends() {
  return arithmetic_bends;
}

uint64_t bent_reduction(const Reduction& what, uint64_t old, uint64_t operand,
                        const spec::Readings& readings) {
  const uint64_t right = reduced(what, old, operand);
  const Bend* bend = readings.bend();
  return bend == nullptr || bend->reduction.result == nullptr
             ? right
             : bend->reduction.result(what, old, operand, right);
}

}  // namespace assay::model
