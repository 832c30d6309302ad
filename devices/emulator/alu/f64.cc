// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/alu/families.h"
#include "devices/emulator/alu/float_step.h"

namespace assay::emulator::alu {
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
