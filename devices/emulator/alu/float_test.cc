// SPDX-License-Identifier: Apache-2.0
#include <rapidcheck.h>

#include <cfenv>
#include <cmath>

#include "devices/emulator/alu/evaluate.h"
#include "devices/emulator/alu/exact.h"
#include "devices/emulator/alu/half.h"

// The oracle for single and double precision is the host's floating-point unit in each of its rounding modes:
// it has nothing in common with the integer arithmetic of exact.cc, and the native path of .rn is compared
// with exact.cc.
namespace assay::emulator::alu {
namespace {

uint64_t float_bits(float v) {
  return std::bit_cast<uint32_t>(v);
}
uint64_t float_bits(double v) {
  return std::bit_cast<uint64_t>(v);
}

struct FloatHostRounding {
  explicit FloatHostRounding(int mode) : before(std::fegetround()) { std::fesetround(mode); }
  ~FloatHostRounding() { std::fesetround(before); }
  int before;
};
struct FloatNamedRounding {
  const char* name;
  int host;
};
constexpr FloatNamedRounding float_roundings[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

/// Through volatile, so that no operation moves out of the rounding mode or is folded.
template <class T>
T on_host(const std::string& base, int mode, T a_value, T b_value, T c_value) {
  volatile T a = a_value, b = b_value, c = c_value;
  const FloatHostRounding rounding(mode);
  volatile T result = 0;
  if (base == "add") result = a + b;
  if (base == "sub") result = a - b;
  if (base == "mul") result = a * b;
  if (base == "div") result = a / b;
  if (base == "fma") result = std::fma(a, b, c);
  if (base == "rcp") result = T{1} / a;
  if (base == "sqrt") result = std::sqrt(a);
  return result;
}

/// Values that meet: random bits, neighbours of powers of two, zeros, subnormals, infinities.
template <class T, class Bits>
rc::Gen<T> float_operand(int fraction_bits, int exponent_bits) {
  const int top = (1 << exponent_bits) - 1, bias = top / 2;
  const auto assembled = [=](const std::tuple<bool, int, Bits>& t) {
    const auto [sign, exponent, fraction] = t;
    return Bits{sign} << (fraction_bits + exponent_bits) | Bits(exponent) << fraction_bits |
           (fraction & ((Bits{1} << fraction_bits) - 1));
  };
  const auto near_one =
      rc::gen::map(rc::gen::tuple(rc::gen::arbitrary<bool>(),
                                  rc::gen::inRange(bias - fraction_bits - 3, bias + fraction_bits + 3),
                                  rc::gen::oneOf(rc::gen::arbitrary<Bits>(),
                                                 rc::gen::element<Bits>(0, 1, 2, ~Bits{0}, ~Bits{0} - 1))),
                   assembled);
  const auto low_or_high = rc::gen::map(
      rc::gen::tuple(rc::gen::arbitrary<bool>(), rc::gen::element<int>(0, 0, 1, 2, top - 2, top - 1),
                     rc::gen::oneOf(rc::gen::arbitrary<Bits>(), rc::gen::element<Bits>(0, 1, 2, ~Bits{0}))),
      assembled);
  const auto infinite = rc::gen::just(static_cast<Bits>(Bits(top) << fraction_bits));
  return rc::gen::map(rc::gen::weightedOneOf<Bits>(
                          {{4, near_one}, {3, low_or_high}, {2, rc::gen::arbitrary<Bits>()}, {1, infinite}}),
                      [](Bits b) { return std::bit_cast<T>(b); });
}
rc::Gen<float> float_single() {
  return float_operand<float, uint32_t>(23, 8);
}
rc::Gen<double> twice() {
  return float_operand<double, uint64_t>(52, 11);
}

int operands_of(const std::string& base) {
  return base == "fma" ? 3 : base == "rcp" || base == "sqrt" ? 1 : 2;
}

/// Any NaN will do for one of f64.
template <class T>
void expect_as_on_the_host(const char* type, const rc::Gen<T>& operand) {
  for (const char* base : {"add", "sub", "mul", "div", "fma", "rcp", "sqrt"})
    for (const auto& rounding : float_roundings) {
      const std::string text = std::string(base) + "." + rounding.name + "." + type;
      EXPECT_TRUE(rc::check(text, [&] {
        const std::vector<T> v{*operand, *operand, *operand};
        const T want = on_host<T>(base, rounding.host, v[0], v[1], v[2]);
        std::vector<uint64_t> sources;
        for (int i = 0; i < operands_of(base); ++i) sources.push_back(float_bits(v[i]));
        const uint64_t got = evaluate(text, sources);
        if (sizeof(T) == 8 && std::isnan(want))
          RC_ASSERT(std::isnan(std::bit_cast<double>(got)));
        else
          RC_ASSERT(got == (std::isnan(want) ? 0x7fffffffu : float_bits(want)));
      })) << text;
    }
}

TEST(float_arithmetic, f32_rounds_as_the_host_does_in_every_mode) {
  expect_as_on_the_host("f32", float_single());
}
TEST(float_arithmetic, f64_rounds_as_the_host_does_in_every_mode) {
  expect_as_on_the_host("f64", twice());
}

float flushed(float v) {
  return std::fpclassify(v) == FP_SUBNORMAL ? std::copysign(0.0f, v) : v;
}

/// The result under .ftz: one that only the least exponent rounded up to the smallest normal number is
/// flushed too (h200). The host tells it from the same operation 2^32 times as large, where a result that
/// small comes from one factor below 1 or from terms that are small themselves.
float flushed_on_host(const std::string& base, int mode, float a, float b, float c) {
  a = flushed(a), b = flushed(b), c = flushed(c);
  const float result = flushed(on_host<float>(base, mode, a, b, c));
  if (std::fabs(result) != 0x1p-126f) return result;
  const bool sum = base == "add" || base == "sub";
  (std::fabs(a) < 1.0f ? a : b) *= 0x1p32f;
  if (sum) b *= 0x1p32f;
  const float larger = on_host<float>(base, mode, a, b, c * 0x1p32f);
  return std::fabs(larger) < 0x1p-94f ? std::copysign(0.0f, result) : result;
}

// .ftz: operands and results that are subnormal are zeros of their sign; .sat: clamped to [0, 1], NaN is +0.
TEST(float_arithmetic, ftz_and_sat_wrap_the_plain_operation) {
  const auto clamped = [](float v) { return !(v > 0.0f) ? 0.0f : v > 1.0f ? 1.0f : v; };
  for (const char* base : {"add", "sub", "mul", "fma"})
    for (const auto& rounding : float_roundings) {
      const std::string stem = std::string(base) + "." + rounding.name;
      EXPECT_TRUE(rc::check(stem + " with .ftz and .sat", [&] {
        const float a = *float_single(), b = *float_single(), c = *float_single();
        std::vector<uint64_t> sources{float_bits(a), float_bits(b), float_bits(c)};
        sources.resize(operands_of(base));
        const float plain = on_host<float>(base, rounding.host, a, b, c);
        const float flush = flushed_on_host(base, rounding.host, a, b, c);
        RC_ASSERT(evaluate(stem + ".sat.f32", sources) == float_bits(clamped(plain)));
        RC_ASSERT(evaluate(stem + ".ftz.f32", sources) ==
                  (std::isnan(flush) ? 0x7fffffffu : float_bits(flush)));
        RC_ASSERT(evaluate(stem + ".ftz.sat.f32", sources) == float_bits(clamped(flush)));
      })) << stem;
    }
}

TEST(float_arithmetic, f32x2_is_two_f32) {
  for (const char* base : {"add", "sub", "mul", "fma"})
    for (const char* modifiers : {"rn", "rz.ftz", "rm", "rp.ftz"}) {
      const std::string stem = std::string(base) + "." + modifiers;
      EXPECT_TRUE(rc::check(stem + ".f32x2", [&] {
        std::vector<uint64_t> low, high, pair;
        for (int i = 0; i < operands_of(base); ++i) {
          low.push_back(float_bits(*float_single()));
          high.push_back(float_bits(*float_single()));
          pair.push_back(high.back() << 32 | low.back());
        }
        RC_ASSERT(evaluate(stem + ".f32x2", pair) ==
                  (evaluate(stem + ".f32", high) << 32 | evaluate(stem + ".f32", low)));
      })) << stem;
    }
}

TEST(float_arithmetic, defaults_to_nearest_where_the_rounding_may_be_left_out) {
  constexpr uint64_t one = 0x3f800000, half_ulp_and_more = 0x33800001;
  EXPECT_EQ(evaluate("add.f32", {one, half_ulp_and_more}), one + 1);
  EXPECT_EQ(evaluate("add.rz.f32", {one, half_ulp_and_more}), one);
  EXPECT_EQ(evaluate("mul.f64", {float_bits(0.1), float_bits(0.1)}), float_bits(0.1 * 0.1));
  EXPECT_EQ(evaluate("mad.rn.f32", {float_bits(3.0f), float_bits(5.0f), float_bits(7.0f)}),
            float_bits(22.0f));
  EXPECT_EQ(evaluate("mad.rz.f64", {float_bits(3.0), float_bits(5.0), float_bits(7.0)}), float_bits(22.0));
}

TEST(float_arithmetic, golden_edges) {
  constexpr uint64_t inf = 0x7f800000, minus = 0x80000000, nan = 0x7fffffff, largest = 0x7f7fffff;
  EXPECT_EQ(evaluate("add.f32", {inf, inf | minus}), nan);
  EXPECT_EQ(evaluate("mul.f32", {inf, minus}), nan);
  EXPECT_EQ(evaluate("add.f32", {0xffc12345, 0}), nan) << "single precision NaNs have no payload";
  EXPECT_EQ(evaluate("add.rn.f32", {float_bits(1.0f), float_bits(-1.0f)}), 0u);
  EXPECT_EQ(evaluate("add.rm.f32", {float_bits(1.0f), float_bits(-1.0f)}), minus)
      << "an exact zero is -0 when rounding down";
  EXPECT_EQ(evaluate("add.rp.f32", {minus, minus}), minus);
  EXPECT_EQ(evaluate("mul.rn.f32", {largest, float_bits(2.0f)}), inf);
  EXPECT_EQ(evaluate("mul.rz.f32", {largest, float_bits(2.0f)}), largest);
  EXPECT_EQ(evaluate("mul.rm.f32", {largest, float_bits(-2.0f)}), inf | minus);
  EXPECT_EQ(evaluate("mul.rp.f32", {largest, float_bits(-2.0f)}), largest | minus);
  EXPECT_EQ(evaluate("div.rn.f32", {float_bits(-1.0f), 0}), inf | minus);
  EXPECT_EQ(evaluate("div.rz.f32", {0, minus}), nan);
  EXPECT_EQ(evaluate("sqrt.rn.f32", {minus}), minus);
  EXPECT_EQ(evaluate("sqrt.rm.f32", {float_bits(-1.0f)}), nan);
  EXPECT_EQ(evaluate("rcp.rn.f32", {minus}), inf | minus);
  EXPECT_EQ(evaluate("mul.rp.f32", {1, 1}), 1u) << "the smallest subnormal, rounded up";
  EXPECT_EQ(evaluate("mul.rp.ftz.f32", {1, 1}), 0u);
  constexpr uint64_t half = 0x3f000000, smallest_normal = 0x00800000, odd = 0x00ffffff;
  EXPECT_EQ(evaluate("mul.rn.f32", {odd, half}), smallest_normal);
  EXPECT_EQ(evaluate("mul.rn.ftz.f32", {odd, half}), 0u)
      << "24 bits hold it, below the smallest normal number";
  EXPECT_EQ(evaluate("mul.rn.ftz.f32", {0x00ca6691, 0x3f21e58f}), smallest_normal)
      << "24 bits round (2^47 - 1) * 2^-173 up to it";
  EXPECT_EQ(evaluate("mul.rz.ftz.f32", {0x00ca6691, 0x3f21e58f}), 0u);
}

// PTX keeps double-precision payloads. Of two NaN operands an H200 returns the second, of a quotient the
// first; the addend goes before one NaN factor, two NaN factors go before the addend.
TEST(float_arithmetic, f64_nans_keep_their_payload) {
  constexpr uint64_t signalling = 0x7ff0000000012345, other = 0xfff8000000054321, one = 0x3ff0000000000000;
  EXPECT_EQ(evaluate("add.f64", {one, signalling}), 0x7ff8000000012345u);
  EXPECT_EQ(evaluate("add.f64", {other, signalling}), 0x7ff8000000012345u);
  EXPECT_EQ(evaluate("mul.rz.f64", {signalling, other}), other);
  EXPECT_EQ(evaluate("div.rz.f64", {signalling, other}), 0x7ff8000000012345u);
  EXPECT_EQ(evaluate("fma.rn.f64", {signalling, one, other}), other);
  EXPECT_EQ(evaluate("fma.rn.f64", {signalling, other, signalling}), other);
  EXPECT_EQ(evaluate("fma.rn.f64", {one, one, other}), other);
  EXPECT_EQ(evaluate("sub.f64", {0x7ff0000000000000, 0x7ff0000000000000}), 0xfff8000000000000u);
}

TEST(float_arithmetic, signs) {
  EXPECT_EQ(evaluate("abs.f32", {0xbf800000}), 0x3f800000u);
  EXPECT_EQ(evaluate("abs.ftz.f32", {0x80000001}), 0u);
  EXPECT_EQ(evaluate("neg.f32", {0}), 0x80000000u);
  EXPECT_EQ(evaluate("neg.ftz.f32", {1}), 0x80000000u);
  EXPECT_EQ(evaluate("neg.f64", {0x3ff0000000000000}), 0xbff0000000000000u);
  EXPECT_EQ(evaluate("abs.f64", {0xbff0000000000000}), 0x3ff0000000000000u);
  EXPECT_EQ(evaluate("abs.f16x2", {0xbc00'8001}), 0x3c00'0001u);
  EXPECT_EQ(evaluate("neg.ftz.f16x2", {0xbc00'8001}), 0x3c00'0000u);
  EXPECT_EQ(evaluate("neg.bf16", {0x3f80}), 0xbf80u);
  EXPECT_EQ(evaluate("abs.bf16x2", {0xbf80'ff80}), 0x3f80'7f80u);
  EXPECT_EQ(evaluate("copysign.f32", {0x80000000, 0x3f800000}), 0xbf800000u);
  EXPECT_EQ(evaluate("copysign.f64", {0, 0xbff0000000000000}), 0x3ff0000000000000u);
}

TEST(float_minimum, numbers_zeros_and_nans) {
  constexpr uint64_t nan = 0x7fc00000, canonical = 0x7fffffff, minus = 0x80000000, one = 0x3f800000;
  EXPECT_EQ(evaluate("min.f32", {nan, one}), one);
  EXPECT_EQ(evaluate("min.f32", {one, nan}), one);
  EXPECT_EQ(evaluate("max.f32", {nan, nan}), canonical);
  EXPECT_EQ(evaluate("max.NaN.f32", {nan, one}), canonical);
  EXPECT_EQ(evaluate("min.f32", {0, minus}), minus) << "-0 is below +0";
  EXPECT_EQ(evaluate("max.f32", {minus, 0}), 0u);
  EXPECT_EQ(evaluate("max.ftz.f32", {1, minus}), 0u);
  EXPECT_EQ(evaluate("min.xorsign.abs.f32", {float_bits(-2.0f), float_bits(3.0f)}), float_bits(-2.0f));
  EXPECT_EQ(evaluate("max.xorsign.abs.f32", {float_bits(-2.0f), float_bits(-3.0f)}), float_bits(3.0f));
  EXPECT_EQ(evaluate("max.NaN.xorsign.abs.f32", {float_bits(-2.0f), nan}), canonical);
  EXPECT_EQ(evaluate("max.f32", {float_bits(1.0f), float_bits(2.0f), float_bits(3.0f)}), float_bits(3.0f));
  EXPECT_EQ(evaluate("min.abs.f32", {float_bits(-1.0f), float_bits(2.0f), float_bits(-0.5f)}),
            float_bits(0.5f));
  EXPECT_EQ(evaluate("min.NaN.f32", {float_bits(1.0f), float_bits(2.0f), nan}), canonical);
  EXPECT_EQ(evaluate("min.f32", {nan, nan, one}), one);
  EXPECT_EQ(evaluate("min.f64", {float_bits(-1.0), float_bits(2.0)}), float_bits(-1.0));
  EXPECT_EQ(evaluate("max.f64", {0x7ff8000000000001, float_bits(2.0)}), float_bits(2.0));
  EXPECT_EQ(evaluate("max.f16", {0x7e00, 0x3c00}), 0x3c00u);
  EXPECT_EQ(evaluate("max.NaN.f16x2", {0x7e00'3c00, 0x3c00'4000}), 0x7fff'4000u);
  EXPECT_EQ(evaluate("min.bf16x2", {0x3f80'bf80, 0x4000'0000}), 0x3f80'bf80u);
  EXPECT_EQ(evaluate("min.xorsign.abs.bf16", {0xbf80, 0x4000}), 0xbf80u);
  EXPECT_TRUE(rc::check("min and max order like the host's comparison", [] {
    const float a = *float_single(), b = *float_single();
    RC_PRE(!std::isnan(a) && !std::isnan(b) && a != b);
    RC_ASSERT(evaluate("min.f32", {float_bits(a), float_bits(b)}) == float_bits(a < b ? a : b));
    RC_ASSERT(evaluate("max.f32", {float_bits(a), float_bits(b)}) == float_bits(a < b ? b : a));
  }));
}

TEST(host_float, protects_from_the_modes_of_the_host_thread) {
  const FloatHostRounding up(FE_UPWARD);
  const uint64_t third = float_bits(1.0f / 3.0f);
  {
    const HostFloat defaults;
    EXPECT_EQ(evaluate("div.rn.f32", {float_bits(1.0f), float_bits(3.0f)}), 0x3eaaaaabu);
    EXPECT_EQ(evaluate("div.rm.f32", {float_bits(1.0f), float_bits(3.0f)}), 0x3eaaaaaau);
  }
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  EXPECT_EQ(third, 0x3eaaaaabu);
}

}  // namespace
}  // namespace assay::emulator::alu
