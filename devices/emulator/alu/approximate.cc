// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/float_step.h"

// The approximate instructions. PTX bounds their error and fixes their special values; the bits in between
// are the device's. Here they are the exact function, computed in double precision and rounded: inside every
// bound.
namespace assay::emulator::alu {
namespace {

double reciprocal(double a) {
  return 1.0 / a;
}
double reciprocal_root(double a) {
  return 1.0 / std::sqrt(a);
}
double root(double a) {
  return std::sqrt(a);
}
double power_of_two(double a) {
  return std::exp2(a);
}
double logarithm(double a) {
  return std::log2(a);
}
double sine(double a) {
  return std::sin(a);
}
double cosine(double a) {
  return std::cos(a);
}
double tangent_h(double a) {
  return std::tanh(a);
}

template <double (*function)(double), bool ftz>
uint32_t single(uint32_t bits) {
  float a = std::bit_cast<float>(bits);
  if (ftz) a = flushed(a);
  return std::bit_cast<uint32_t>(finished<ftz, false>(static_cast<float>(function(a))));
}

template <double (*function)(double)>
uint16_t half(uint16_t bits) {
  return float_to_f16(static_cast<float>(function(f16_to_float(bits))));
}
template <double (*function)(double), bool ftz>
uint16_t brain(uint16_t bits) {
  float a = bf16_to_float(bits);
  if (ftz) a = flushed(a);
  const uint16_t result = float_to_bf16(static_cast<float>(function(a)));
  return ftz ? static_cast<uint16_t>(bf16_format.flushed(result)) : result;
}
template <uint16_t (*function)(uint16_t)>
uint32_t both(uint32_t bits) {
  return uint32_t{function(static_cast<uint16_t>(bits >> 16))} << 16 | function(static_cast<uint16_t>(bits));
}

// A quotient whose divisor is above 2^126 comes out as 0, or NaN for an infinite dividend (ptx, div.approx).
template <bool ftz>
uint32_t divide(uint32_t a_bits, uint32_t b_bits) {
  float a = std::bit_cast<float>(a_bits), b = std::bit_cast<float>(b_bits);
  if (ftz) {
    a = flushed(a);
    b = flushed(b);
  }
  const bool huge = std::fabs(b) > 0x1p126f && !std::isinf(b);
  if (huge && !std::isnan(a)) return std::isinf(a) ? 0x7fffffffu : (a_bits ^ b_bits) & 0x80000000u;
  return std::bit_cast<uint32_t>(finished<ftz, false>(a / b));
}
template <bool ftz>
uint32_t divide_full(uint32_t a, uint32_t b) {
  return f32_operation<DivStep, Rounding::rn, ftz, false>(a, b);
}

// Only the upper 32 bits of operand and result count; subnormals flush; a NaN is 0x7fffffff00000000 (ptx,
// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64).
template <double (*function)(double)>
uint64_t upper_half(uint64_t bits) {
  const double a = std::bit_cast<double>(f64_format.flushed(bits & 0xffffffff00000000u));
  const double result = function(a);
  if (result != result) return 0x7fffffff00000000u;
  const Number number = unpack(f64_format, std::bit_cast<uint64_t>(result));
  return f64_format.flushed(round(Format{11, 20}, number, Rounding::rn) << 32);
}
double rsqrt_f64(double a) {
  return propagated(reciprocal_root(a), a);
}

template <double (*function)(double)>
std::optional<LaneForm> find_single(const Words& w) {
  if (!w.is(Type::f32) || w.rounding != Rounding::none) return std::nullopt;
  if (w.set == flags(Flag::approx)) return form<&single<function, false>>();
  if (w.set == flags(Flag::approx, Flag::ftz)) return form<&single<function, true>>();
  return std::nullopt;
}

}  // namespace

std::optional<LaneForm> find_rcp_approx(const Words& w) {
  if (w.is(Type::f64) && w.rounding == Rounding::none && w.set == flags(Flag::approx, Flag::ftz))
    return form<&upper_half<&reciprocal>>();
  return find_single<&reciprocal>(w);
}
std::optional<LaneForm> find_rsqrt(const Words& w) {
  if (w.is(Type::f64) && w.rounding == Rounding::none) {
    if (w.set == flags(Flag::approx, Flag::ftz)) return form<&upper_half<&reciprocal_root>>();
    if (w.set == flags(Flag::approx)) return form<&rsqrt_f64>();
  }
  return find_single<&reciprocal_root>(w);
}
std::optional<LaneForm> find_sqrt_approx(const Words& w) {
  return find_single<&root>(w);
}
std::optional<LaneForm> find_lg2(const Words& w) {
  return find_single<&logarithm>(w);
}
std::optional<LaneForm> find_sin(const Words& w) {
  return find_single<&sine>(w);
}
std::optional<LaneForm> find_cos(const Words& w) {
  return find_single<&cosine>(w);
}

std::optional<LaneForm> find_ex2(const Words& w) {
  if (w.rounding == Rounding::none && w.set == flags(Flag::approx)) {
    if (w.is(Type::f16)) return form<&half<&power_of_two>>();
    if (w.is(Type::f16x2)) return form<&both<&half<&power_of_two>>>();
  }
  if (w.rounding == Rounding::none && w.set == flags(Flag::approx, Flag::ftz)) {
    if (w.is(Type::bf16)) return form<&brain<&power_of_two, true>>();
    if (w.is(Type::bf16x2)) return form<&both<&brain<&power_of_two, true>>>();
  }
  return find_single<&power_of_two>(w);
}
std::optional<LaneForm> find_tanh(const Words& w) {
  if (w.rounding != Rounding::none || w.set != flags(Flag::approx)) return std::nullopt;
  if (w.is(Type::f32)) return form<&single<&tangent_h, false>>();
  if (w.is(Type::f16)) return form<&half<&tangent_h>>();
  if (w.is(Type::f16x2)) return form<&both<&half<&tangent_h>>>();
  if (w.is(Type::bf16)) return form<&brain<&tangent_h, false>>();
  if (w.is(Type::bf16x2)) return form<&both<&brain<&tangent_h, false>>>();
  return std::nullopt;
}
std::optional<LaneForm> find_div_approx(const Words& w) {
  if (!w.is(Type::f32) || w.rounding != Rounding::none) return std::nullopt;
  if (w.set == flags(Flag::approx)) return form<&divide<false>>();
  if (w.set == flags(Flag::approx, Flag::ftz)) return form<&divide<true>>();
  if (w.set == flags(Flag::full)) return form<&divide_full<false>>();
  if (w.set == flags(Flag::full, Flag::ftz)) return form<&divide_full<true>>();
  return std::nullopt;
}

}  // namespace assay::emulator::alu
