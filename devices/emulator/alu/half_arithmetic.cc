// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/float_step.h"

// add, sub, mul and fma of f16, bf16 and pairs of them, and the single precision ones with 16-bit operands.
namespace assay::emulator::alu {
namespace {

struct Mode {
  bool ftz, sat, relu, oob;
};
// All members spelled out: g++ 12 gives template arguments Mode{.relu = true} and Mode{.oob = true} the same
// symbol.
constexpr Mode plain{false, false, false, false}, ftz{true, false, false, false},
    sat{false, true, false, false}, ftz_sat{true, true, false, false}, relu{false, false, true, false},
    ftz_relu{true, false, true, false}, oob{false, false, false, true}, oob_relu{false, false, true, true};

template <Format format>
float widened(uint16_t bits) {
  return format == f16_format ? f16_to_float(bits) : bf16_to_float(bits);
}
template <Format format>
uint16_t narrowed(float value) {
  return format == f16_format ? float_to_f16(value) : float_to_bf16(value);
}

/// .sat clamps to [0, 1] with NaN to +0; .relu clamps below at +0 and keeps NaN (ptx, half precision
/// instructions).
template <Format format, Mode mode>
uint16_t finished(uint16_t bits) {
  constexpr uint16_t one = format.bias() << format.fraction_bits;
  const bool is_nan = format.is_nan(bits), negative = (bits & 0x8000) != 0;
  if (mode.ftz) bits = static_cast<uint16_t>(format.flushed(bits));
  if (mode.sat) return is_nan || negative ? 0 : bits > one ? one : bits;
  if (mode.relu && negative && !is_nan) return 0;
  return is_nan ? 0x7fff : bits;
}

template <Format format, Mode mode>
uint16_t operand(uint64_t bits) {
  const auto half = static_cast<uint16_t>(bits);
  return mode.ftz ? static_cast<uint16_t>(format.flushed(half)) : half;
}

// A sum or product of two 16-bit floats, rounded to 24 bits and then to theirs, is rounded as if once: 24 is
// at least twice their 11 or 8 bits and two more, and what falls below the smallest float is too small to
// make a tie.
template <class Step, Format format, Mode mode>
uint16_t two_of(uint64_t a, uint64_t b) {
  const uint16_t x = operand<format, mode>(a), y = operand<format, mode>(b);
  const uint16_t result = narrowed<format>(Step::native(widened<format>(x), widened<format>(y)));
  if (mode.ftz && (result & 0x7fff) == format.smallest_normal() &&
      is_tiny<format>(Step::exact(unpack(format, x), unpack(format, y), Rounding::rn), Rounding::rn))
    return finished<format, mode>(result & 0x8000);
  return finished<format, mode>(result);
}

/// a * b + c rounded once. The product is exact in double precision; the sum is rounded to odd there, and
/// again to odd in single precision, after which the last rounding sees on which side of every tie it is.
/// Sums too small or too large for that, and special values, go the long way.
template <Format format>
uint16_t fused(uint16_t a, uint16_t b, uint16_t c) {
  const double product = double{widened<format>(a)} * double{widened<format>(b)}, addend = widened<format>(c);
  const double sum = product + addend, magnitude = std::fabs(sum);
  if (magnitude >= 0x1p-126 && magnitude < 0x1p127) {
    const double of_addend = sum - product;
    const double error = (product - (sum - of_addend)) + (addend - of_addend);
    auto bits = std::bit_cast<uint64_t>(sum);
    if (error != 0 && (bits & 1) == 0) bits += (error > 0) == (sum > 0) ? 1 : -1;
    constexpr uint64_t dropped = (uint64_t{1} << 29) - 1, rebias = uint64_t{1023 - 127} << 52;
    const auto odd = static_cast<uint32_t>(((bits & 0x7fffffffffffffff) - rebias) >> 29) |
                     static_cast<uint32_t>((bits & dropped) != 0);
    return narrowed<format>(std::bit_cast<float>(odd | static_cast<uint32_t>(bits >> 32 & 0x80000000)));
  }
  const Number exact = FmaStep::exact(unpack(format, a), unpack(format, b), unpack(format, c), Rounding::rn);
  return static_cast<uint16_t>(round(format, exact, Rounding::rn));
}

/// What TMA writes outside a tensor when it fills with NaN; as a factor of fma.oob it makes the result +0
/// (h200, F-03).
bool is_out_of_bounds(uint16_t bits) {
  return (bits & 0x7fff) == 0x7ff7;
}

template <Format format, Mode mode>
uint16_t fma_of(uint64_t a, uint64_t b, uint64_t c) {
  if (mode.oob && (is_out_of_bounds(static_cast<uint16_t>(a)) || is_out_of_bounds(static_cast<uint16_t>(b))))
    return 0;
  const uint16_t x = operand<format, mode>(a), y = operand<format, mode>(b), z = operand<format, mode>(c);
  const uint16_t result = fused<format>(x, y, z);
  if (mode.ftz && (result & 0x7fff) == format.smallest_normal() &&
      is_tiny<format>(FmaStep::exact(unpack(format, x), unpack(format, y), unpack(format, z), Rounding::rn),
                      Rounding::rn))
    return finished<format, mode>(result & 0x8000);
  return finished<format, mode>(result);
}

template <class Step, Format format, Mode mode>
uint32_t two_of_pairs(uint32_t a, uint32_t b) {
  return uint32_t{two_of<Step, format, mode>(a >> 16, b >> 16)} << 16 | two_of<Step, format, mode>(a, b);
}
template <Format format, Mode mode>
uint32_t fma_of_pairs(uint32_t a, uint32_t b, uint32_t c) {
  return uint32_t{fma_of<format, mode>(a >> 16, b >> 16, c >> 16)} << 16 | fma_of<format, mode>(a, b, c);
}

template <class Step, Format format, Mode mode>
LaneForm half_form(bool pair) {
  if constexpr (std::is_same_v<Step, FmaStep>)
    return pair ? form<&fma_of_pairs<format, mode>>() : form<&fma_of<format, mode>>();
  else
    return pair ? form<&two_of_pairs<Step, format, mode>>() : form<&two_of<Step, format, mode>>();
}

template <class Step>
std::optional<LaneForm> find_two(const Words& w) {
  if (w.rounding != Rounding::none && w.rounding != Rounding::rn) return std::nullopt;
  const bool pair = w.is(Type::f16x2) || w.is(Type::bf16x2);
  if (w.is(Type::f16) || w.is(Type::f16x2)) {
    if (w.set == 0) return half_form<Step, f16_format, plain>(pair);
    if (w.set == flags(Flag::ftz)) return half_form<Step, f16_format, ftz>(pair);
    if (w.set == flags(Flag::sat)) return half_form<Step, f16_format, sat>(pair);
    if (w.set == flags(Flag::ftz, Flag::sat)) return half_form<Step, f16_format, ftz_sat>(pair);
  }
  if ((w.is(Type::bf16) || w.is(Type::bf16x2)) && w.set == 0)
    return half_form<Step, bf16_format, plain>(pair);
  return std::nullopt;
}

// The single precision operation with its first operands 16 bits wide.
template <class Step, Format format, Rounding r, bool sat>
uint32_t mixed_two(uint64_t a, uint32_t c) {
  return f32_operation<Step, r, false, sat>(
      std::bit_cast<uint32_t>(widened<format>(static_cast<uint16_t>(a))), c);
}
template <Format format, Rounding r, bool sat>
uint32_t mixed_fma(uint64_t a, uint64_t b, uint32_t c) {
  return f32_operation<FmaStep, r, false, sat>(
      std::bit_cast<uint32_t>(widened<format>(static_cast<uint16_t>(a))),
      std::bit_cast<uint32_t>(widened<format>(static_cast<uint16_t>(b))), c);
}
template <class Step, Format format, Rounding r, bool sat>
LaneForm mixed_form() {
  if constexpr (std::is_same_v<Step, FmaStep>)
    return form<&mixed_fma<format, r, sat>>();
  else
    return form<&mixed_two<Step, format, r, sat>>();
}
template <class Step>
std::optional<LaneForm> find_mixed(const Words& w, Rounding otherwise) {
  const bool f16 = w.is(Type::f32, Type::f16), bf16 = w.is(Type::f32, Type::bf16),
             saturates = w.has(Flag::sat);
  if ((!f16 && !bf16) || !w.only(flags(Flag::sat))) return std::nullopt;
  return for_rounding(w.rounding, otherwise, [=]<Rounding r>() {
    if (f16)
      return saturates ? mixed_form<Step, f16_format, r, true>() : mixed_form<Step, f16_format, r, false>();
    return saturates ? mixed_form<Step, bf16_format, r, true>() : mixed_form<Step, bf16_format, r, false>();
  });
}

}  // namespace

std::optional<LaneForm> find_add_half(const Words& w) {
  return find_two<AddStep>(w);
}
std::optional<LaneForm> find_sub_half(const Words& w) {
  return find_two<SubStep>(w);
}
std::optional<LaneForm> find_mul_half(const Words& w) {
  return find_two<MulStep>(w);
}
std::optional<LaneForm> find_add_mixed(const Words& w) {
  return find_mixed<AddStep>(w, Rounding::rn);
}
std::optional<LaneForm> find_sub_mixed(const Words& w) {
  return find_mixed<SubStep>(w, Rounding::rn);
}
std::optional<LaneForm> find_fma_mixed(const Words& w) {
  return find_mixed<FmaStep>(w, Rounding::none);
}

std::optional<LaneForm> find_fma_half(const Words& w) {
  if (w.rounding != Rounding::rn) return std::nullopt;
  const bool pair = w.is(Type::f16x2) || w.is(Type::bf16x2);
  if (w.is(Type::f16) || w.is(Type::f16x2)) {
    constexpr Format f = f16_format;
    if (w.set == 0) return half_form<FmaStep, f, plain>(pair);
    if (w.set == flags(Flag::ftz)) return half_form<FmaStep, f, ftz>(pair);
    if (w.set == flags(Flag::sat)) return half_form<FmaStep, f, sat>(pair);
    if (w.set == flags(Flag::ftz, Flag::sat)) return half_form<FmaStep, f, ftz_sat>(pair);
    if (w.set == flags(Flag::relu)) return half_form<FmaStep, f, relu>(pair);
    if (w.set == flags(Flag::ftz, Flag::relu)) return half_form<FmaStep, f, ftz_relu>(pair);
    if (w.set == flags(Flag::oob)) return half_form<FmaStep, f, oob>(pair);
    if (w.set == flags(Flag::oob, Flag::relu)) return half_form<FmaStep, f, oob_relu>(pair);
  }
  if (w.is(Type::bf16) || w.is(Type::bf16x2)) {
    constexpr Format f = bf16_format;
    if (w.set == 0) return half_form<FmaStep, f, plain>(pair);
    if (w.set == flags(Flag::relu)) return half_form<FmaStep, f, relu>(pair);
    if (w.set == flags(Flag::oob)) return half_form<FmaStep, f, oob>(pair);
    if (w.set == flags(Flag::oob, Flag::relu)) return half_form<FmaStep, f, oob_relu>(pair);
  }
  return std::nullopt;
}

}  // namespace assay::emulator::alu
