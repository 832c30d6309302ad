// SPDX-License-Identifier: Apache-2.0
#include <rapidcheck.h>

#include <cmath>

#include "devices/emulator/alu/evaluate.h"
#include "devices/emulator/alu/half.h"

// The tables of special values and the error bounds that the PTX document gives for each approximate
// instruction.
namespace assay::emulator::alu {
namespace {

uint64_t approximate_bits(float v) {
  return std::bit_cast<uint32_t>(v);
}
float approximate_single(uint64_t b) {
  return std::bit_cast<float>(static_cast<uint32_t>(b));
}
constexpr uint64_t inf = 0x7f800000, minus_inf = 0xff800000, nan = 0x7fffffff, minus_zero = 0x80000000,
                   subnormal = 1, minus_subnormal = 0x80000001;

TEST(approximate, special_values_of_f32) {
  struct Row {
    const char* text;
    uint64_t a, want;
  };
  const Row rows[] = {
      {"rcp.approx.f32", minus_inf, minus_zero},
      {"rcp.approx.f32", minus_zero, minus_inf},
      {"rcp.approx.f32", 0, inf},
      {"rcp.approx.f32", inf, 0},
      {"rcp.approx.f32", nan, nan},
      {"rcp.approx.ftz.f32", minus_subnormal, minus_inf},
      {"rcp.approx.ftz.f32", subnormal, inf},
      {"rcp.approx.ftz.f32", approximate_bits(0x1p127f), 0},
      {"sqrt.approx.f32", minus_inf, nan},
      {"sqrt.approx.f32", approximate_bits(-2.0f), nan},
      {"sqrt.approx.f32", minus_zero, minus_zero},
      {"sqrt.approx.f32", inf, inf},
      {"sqrt.approx.f32", minus_subnormal, nan},
      {"sqrt.approx.ftz.f32", minus_subnormal, minus_zero},
      {"rsqrt.approx.f32", minus_inf, nan},
      {"rsqrt.approx.f32", minus_zero, minus_inf},
      {"rsqrt.approx.f32", 0, inf},
      {"rsqrt.approx.f32", inf, 0},
      {"rsqrt.approx.ftz.f32", minus_subnormal, minus_inf},
      {"rsqrt.approx.f32", approximate_bits(-1.0f), nan},
      {"ex2.approx.f32", minus_inf, 0},
      {"ex2.approx.f32", minus_zero, approximate_bits(1.0f)},
      {"ex2.approx.f32", subnormal, approximate_bits(1.0f)},
      {"ex2.approx.f32", inf, inf},
      {"ex2.approx.f32", approximate_bits(-140.0f), approximate_bits(0x1p-140f)},
      {"ex2.approx.ftz.f32", approximate_bits(-140.0f), 0},
      {"lg2.approx.f32", minus_inf, nan},
      {"lg2.approx.f32", minus_zero, minus_inf},
      {"lg2.approx.f32", 0, minus_inf},
      {"lg2.approx.f32", inf, inf},
      {"lg2.approx.f32", subnormal, approximate_bits(-149.0f)},
      {"lg2.approx.ftz.f32", subnormal, minus_inf},
      {"lg2.approx.ftz.f32", minus_subnormal, minus_inf},
      {"lg2.approx.f32", approximate_bits(1.0f), 0},
      {"sin.approx.f32", minus_inf, nan},
      {"sin.approx.f32", minus_zero, minus_zero},
      {"sin.approx.ftz.f32", minus_subnormal, minus_zero},
      {"sin.approx.f32", inf, nan},
      {"cos.approx.f32", 0, approximate_bits(1.0f)},
      {"cos.approx.f32", minus_inf, nan},
      {"cos.approx.ftz.f32", minus_subnormal, approximate_bits(1.0f)},
      {"tanh.approx.f32", minus_inf, approximate_bits(-1.0f)},
      {"tanh.approx.f32", inf, approximate_bits(1.0f)},
      {"tanh.approx.f32", minus_zero, minus_zero},
      {"tanh.approx.f32", minus_subnormal, minus_subnormal},
      {"tanh.approx.f32", nan, nan},
  };
  for (const Row& row : rows) EXPECT_EQ(evaluate(row.text, {row.a}), row.want) << row.text << " " << row.a;
}

/// Relative error of `text` at a, and absolute where the document bounds that.
void expect_error_below(const char* text, double (*function)(double), float low, float high, double relative,
                        double absolute) {
  EXPECT_TRUE(rc::check(text, [&] {
    const double t = *rc::gen::inRange(0, 1 << 24) / double{1 << 24};
    const auto a = static_cast<float>(low + (high - low) * t);
    const double want = function(a), got = approximate_single(evaluate(text, {approximate_bits(a)}));
    RC_ASSERT(std::fabs(got - want) <= std::max(relative * std::fabs(want), absolute));
  })) << text;
}

TEST(approximate, errors_stay_inside_the_documented_bounds) {
  expect_error_below(
      "rcp.approx.f32", [](double a) { return 1 / a; }, 1, 4, 0x1p-23, 0);
  expect_error_below(
      "sqrt.approx.f32", [](double a) { return std::sqrt(a); }, 0, 1e30f, 0x1p-23, 0);
  expect_error_below(
      "rsqrt.approx.f32", [](double a) { return 1 / std::sqrt(a); }, 1, 4, 0x1p-22, 0);
  expect_error_below(
      "ex2.approx.f32", [](double a) { return std::exp2(a); }, -20, 20, 0x1p-22, 0);
  expect_error_below(
      "lg2.approx.f32", [](double a) { return std::log2(a); }, 0.5, 2, 0x1p-22, 0x1p-22);
  expect_error_below(
      "sin.approx.f32", [](double a) { return std::sin(a); }, -3.14f, 3.14f, 0, 0x1p-20);
  expect_error_below(
      "cos.approx.f32", [](double a) { return std::cos(a); }, -3.14f, 3.14f, 0, 0x1p-20);
  expect_error_below(
      "tanh.approx.f32", [](double a) { return std::tanh(a); }, -5, 5, 0x1p-11, 0);
}

TEST(approximate, quotients) {
  EXPECT_EQ(evaluate("div.approx.f32", {approximate_bits(6.0f), approximate_bits(3.0f)}),
            approximate_bits(2.0f));
  EXPECT_EQ(evaluate("div.full.f32", {approximate_bits(6.0f), approximate_bits(0x1p127f)}),
            approximate_bits(0x1.8p-125f));
  // |b| above 2^126: zero, or NaN for an infinite dividend.
  EXPECT_EQ(evaluate("div.approx.f32", {approximate_bits(6.0f), approximate_bits(0x1.8p126f)}), 0u);
  EXPECT_EQ(evaluate("div.approx.f32", {inf, approximate_bits(0x1.8p126f)}), nan);
  EXPECT_EQ(evaluate("div.approx.f32", {approximate_bits(6.0f), approximate_bits(0x1p126f)}),
            approximate_bits(0x1.8p-124f));
  EXPECT_EQ(evaluate("div.approx.f32", {approximate_bits(1.0f), minus_zero}), minus_inf);
  EXPECT_EQ(evaluate("div.approx.ftz.f32", {subnormal, subnormal}), nan);
  EXPECT_EQ(evaluate("div.full.ftz.f32", {subnormal, approximate_bits(1.0f)}), 0u);
}

TEST(approximate, double_precision_starting_values) {
  // 1/3 = 3fd5555555555555, to its upper half; the lower half of the operand does not count.
  EXPECT_EQ(evaluate("rcp.approx.ftz.f64", {0x40080000'12345678}), 0x3fd55555'00000000u);
  EXPECT_EQ(evaluate("rcp.approx.ftz.f64", {0}), 0x7ff00000'00000000u);
  EXPECT_EQ(evaluate("rcp.approx.ftz.f64", {0x800fffff'ffffffff}), 0xfff00000'00000000u);
  EXPECT_EQ(evaluate("rcp.approx.ftz.f64", {0x7fe00000'00000001}), 0u) << "a subnormal result is flushed";
  EXPECT_EQ(evaluate("rcp.approx.ftz.f64", {0xfff80000'00000001}), 0x7fffffff'00000000u);
  EXPECT_EQ(evaluate("rsqrt.approx.ftz.f64", {0x40100000'00000000}), 0x3fe00000'00000000u);
  EXPECT_EQ(evaluate("rsqrt.approx.ftz.f64", {0xbff00000'00000000}), 0x7fffffff'00000000u);
  EXPECT_EQ(evaluate("rsqrt.approx.ftz.f64", {0x80000000'00000000}), 0xfff00000'00000000u);
  EXPECT_EQ(evaluate("rsqrt.approx.f64", {0x40100000'00000000}), 0x3fe00000'00000000u);
}

TEST(approximate, sixteen_bit_functions) {
  EXPECT_EQ(evaluate("ex2.approx.f16", {0x3c00}), 0x4000u);
  EXPECT_EQ(evaluate("ex2.approx.f16", {0x7fff}), 0x7fffu);
  EXPECT_EQ(evaluate("ex2.approx.f16", {0xfc00}), 0u);
  EXPECT_EQ(evaluate("ex2.approx.f16x2", {0x4000'bc00}), 0x4400'3800u);
  EXPECT_EQ(evaluate("ex2.approx.ftz.bf16", {0x4000}), 0x4080u);
  EXPECT_EQ(evaluate("ex2.approx.ftz.bf16x2", {0x4000'0000}), 0x4080'3f80u);
  EXPECT_EQ(evaluate("tanh.approx.f16", {0x7c00}), 0x3c00u);
  EXPECT_EQ(evaluate("tanh.approx.bf16x2", {0xff80'0000}), 0xbf80'0000u);
  for (uint32_t h = 0; h < 0x7c00; ++h) {
    const double a = f16_to_float(static_cast<uint16_t>(h));
    const double exponential = f16_to_float(static_cast<uint16_t>(evaluate("ex2.approx.f16", {h | 0x8000})));
    EXPECT_LE(std::fabs(exponential - std::exp2(-a)), 0x1p-9 * std::exp2(-a) + 0x1p-25) << h;
    const double hyperbolic = f16_to_float(static_cast<uint16_t>(evaluate("tanh.approx.f16", {h})));
    EXPECT_LE(std::fabs(hyperbolic - std::tanh(a)), 0x1p-10 * std::tanh(a) + 0x1p-25) << h;
  }
}

}  // namespace
}  // namespace assay::emulator::alu
