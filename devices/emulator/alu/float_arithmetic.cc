// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/float_step.h"

// Single precision arithmetic, and pairs of it in 64-bit registers.
namespace assay::emulator::alu {
namespace {

template <class Step, Rounding r, bool ftz, bool sat>
ASSAY_ALWAYS_INLINE inline uint32_t one(uint32_t a) {
  return f32_operation<Step, r, ftz, sat>(a);
}
template <class Step, Rounding r, bool ftz, bool sat>
ASSAY_ALWAYS_INLINE inline uint32_t two(uint32_t a, uint32_t b) {
  return f32_operation<Step, r, ftz, sat>(a, b);
}
template <class Step, Rounding r, bool ftz, bool sat>
ASSAY_ALWAYS_INLINE inline uint32_t three(uint32_t a, uint32_t b, uint32_t c) {
  return f32_operation<Step, r, ftz, sat>(a, b, c);
}

template <class Step, Rounding r, bool ftz, bool sat>
LaneForm single() {
  if constexpr (requires { Step::template native<float>(0.f); })
    return form<&one<Step, r, ftz, sat>>();
  else if constexpr (requires { Step::template native<float>(0.f, 0.f); })
    return form<&two<Step, r, ftz, sat>>();
  else
    return form<&three<Step, r, ftz, sat>>();
}

template <class Step, Rounding r, bool ftz>
uint64_t two_twice(uint64_t a, uint64_t b) {
  const uint64_t high =
      two<Step, r, ftz, false>(static_cast<uint32_t>(a >> 32), static_cast<uint32_t>(b >> 32));
  return high << 32 | two<Step, r, ftz, false>(static_cast<uint32_t>(a), static_cast<uint32_t>(b));
}
template <class Step, Rounding r, bool ftz>
uint64_t three_twice(uint64_t a, uint64_t b, uint64_t c) {
  const uint64_t high = three<Step, r, ftz, false>(
      static_cast<uint32_t>(a >> 32), static_cast<uint32_t>(b >> 32), static_cast<uint32_t>(c >> 32));
  return high << 32 | three<Step, r, ftz, false>(static_cast<uint32_t>(a), static_cast<uint32_t>(b),
                                                 static_cast<uint32_t>(c));
}
template <class Step, Rounding r, bool ftz>
LaneForm pair() {
  if constexpr (requires { Step::template native<float>(0.f, 0.f); })
    return form<&two_twice<Step, r, ftz>>();
  else
    return form<&three_twice<Step, r, ftz>>();
}

/// add, sub, mul, fma and mad: .f32 with .ftz and .sat, .f32x2 with .ftz.
template <class Step>
std::optional<LaneForm> find(const Words& w, Rounding otherwise, bool has_pairs) {
  const bool ftz = w.has(Flag::ftz), sat = w.has(Flag::sat);
  if (w.is(Type::f32) && w.only(flags(Flag::ftz, Flag::sat)))
    return for_rounding(w.rounding, otherwise, [=]<Rounding r>() {
      if (ftz) return sat ? single<Step, r, true, true>() : single<Step, r, true, false>();
      return sat ? single<Step, r, false, true>() : single<Step, r, false, false>();
    });
  if (has_pairs && w.is(Type::f32x2) && w.only(flags(Flag::ftz)))
    return for_rounding(w.rounding, otherwise,
                        [=]<Rounding r>() { return ftz ? pair<Step, r, true>() : pair<Step, r, false>(); });
  return std::nullopt;
}

/// div, rcp and sqrt with a rounding: .f32 with .ftz.
template <class Step>
std::optional<LaneForm> find_rounded(const Words& w) {
  if (!w.is(Type::f32) || !w.only(flags(Flag::ftz))) return std::nullopt;
  const bool ftz = w.has(Flag::ftz);
  return for_rounding(w.rounding, Rounding::none, [=]<Rounding r>() {
    return ftz ? single<Step, r, true, false>() : single<Step, r, false, false>();
  });
}

}  // namespace

std::optional<LaneForm> find_add_f32(const Words& w) {
  return find<AddStep>(w, Rounding::rn, true);
}
std::optional<LaneForm> find_sub_f32(const Words& w) {
  return find<SubStep>(w, Rounding::rn, true);
}
std::optional<LaneForm> find_mul_f32(const Words& w) {
  return find<MulStep>(w, Rounding::rn, true);
}
std::optional<LaneForm> find_fma_f32(const Words& w) {
  return find<FmaStep>(w, Rounding::none, true);
}
std::optional<LaneForm> find_mad_f32(const Words& w) {
  return find<FmaStep>(w, Rounding::none, false);
}
std::optional<LaneForm> find_div_f32(const Words& w) {
  return find_rounded<DivStep>(w);
}
std::optional<LaneForm> find_rcp_f32(const Words& w) {
  return find_rounded<RcpStep>(w);
}
std::optional<LaneForm> find_sqrt_f32(const Words& w) {
  return find_rounded<SqrtStep>(w);
}

namespace {

template <class Step, Rounding r>
double one(double a) {
  return f64_operation<Step, r>(a);
}
template <class Step, Rounding r>
double two(double a, double b) {
  return f64_operation<Step, r>(a, b);
}
template <class Step, Rounding r>
double three(double a, double b, double c) {
  return f64_operation<Step, r>(a, b, c);
}

template <class Step>
std::optional<LaneForm> find(const Words& w, Rounding otherwise) {
  if (!w.is(Type::f64) || w.set != 0) return std::nullopt;
  return for_rounding(w.rounding, otherwise, []<Rounding r>() {
    if constexpr (requires { Step::template native<double>(0.0); })
      return form<&one<Step, r>>();
    else if constexpr (requires { Step::template native<double>(0.0, 0.0); })
      return form<&two<Step, r>>();
    else
      return form<&three<Step, r>>();
  });
}

}  // namespace

std::optional<LaneForm> find_add_f64(const Words& w) {
  return find<AddStep>(w, Rounding::rn);
}
std::optional<LaneForm> find_sub_f64(const Words& w) {
  return find<SubStep>(w, Rounding::rn);
}
std::optional<LaneForm> find_mul_f64(const Words& w) {
  return find<MulStep>(w, Rounding::rn);
}
std::optional<LaneForm> find_fma_f64(const Words& w) {
  return find<FmaStep>(w, Rounding::none);
}
std::optional<LaneForm> find_div_f64(const Words& w) {
  return find<DivStep>(w, Rounding::none);
}
std::optional<LaneForm> find_rcp_f64(const Words& w) {
  return find<RcpStep>(w, Rounding::none);
}
std::optional<LaneForm> find_sqrt_f64(const Words& w) {
  return find<SqrtStep>(w, Rounding::none);
}

}  // namespace assay::emulator::alu
