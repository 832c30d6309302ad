// SPDX-License-Identifier: Apache-2.0
#include <rapidcheck.h>

#include <cfenv>
#include <cmath>

#include "devices/emulator/alu/evaluate.h"

// cvt between scalars: oracles are unbounded integers, long double, and searches in lists of values.
namespace assay::emulator::alu {
namespace {

uint64_t convert_bits(float v) {
  return std::bit_cast<uint32_t>(v);
}
uint64_t convert_bits(double v) {
  return std::bit_cast<uint64_t>(v);
}

struct ConvertIntegerType {
  const char* name;
  int width;
  bool is_signed;

  __int128 least() const { return is_signed ? -(__int128{1} << (width - 1)) : 0; }
  __int128 greatest() const { return (__int128{1} << (width - is_signed)) - 1; }
  __int128 meaning(uint64_t register_bits) const {
    const __int128 value = register_bits & ((__int128{1} << width) - 1);
    return value > greatest() ? value - (__int128{1} << width) : value;
  }
};
constexpr ConvertIntegerType integers[] = {{"u8", 8, false},   {"u16", 16, false}, {"u32", 32, false},
                                           {"u64", 64, false}, {"s8", 8, true},    {"s16", 16, true},
                                           {"s32", 32, true},  {"s64", 64, true}};

uint64_t in_register(__int128 value, int width) {
  return static_cast<uint64_t>(value & ((__int128{1} << width) - 1));
}

rc::Gen<uint64_t> integer() {
  return rc::gen::oneOf(rc::gen::arbitrary<uint64_t>(),
                        rc::gen::map(rc::gen::inRange(0, 64), [](int n) { return uint64_t{1} << n; }),
                        rc::gen::map(rc::gen::inRange(0, 64), [](int n) { return (uint64_t{1} << n) - 1; }),
                        rc::gen::map(rc::gen::inRange(0, 64), [](int n) { return ~uint64_t{0} << n; }));
}

TEST(convert_integer, wraps_saturates_and_fills_the_register) {
  for (const ConvertIntegerType& to : integers)
    for (const ConvertIntegerType& from : integers) {
      const std::string types = std::string(to.name) + "." + from.name;
      EXPECT_TRUE(rc::check("cvt." + types, [&] {
        const uint64_t a = *integer();
        const __int128 value = from.meaning(a);
        const __int128 wrapped = to.meaning(in_register(value, to.width));
        const __int128 clamped = value < to.least()      ? to.least()
                                 : value > to.greatest() ? to.greatest()
                                                         : value;
        for (int width : {16, 32, 64}) {
          if (width < to.width) continue;
          RC_ASSERT(evaluate("cvt." + types, {a}, width) == in_register(wrapped, width));
          if (find_lane_form(opcode_of("cvt.sat." + types)))
            RC_ASSERT(evaluate("cvt.sat." + types, {a}, width) == in_register(clamped, width));
          else
            RC_ASSERT(from.least() >= to.least() && from.greatest() <= to.greatest());
        }
      })) << types;
    }
}

TEST(convert_integer, golden) {
  EXPECT_EQ(evaluate("cvt.s8.s32", {0x12345680}), 0xff80u) << "a 16-bit register is the narrowest";
  EXPECT_EQ(evaluate("cvt.s8.s32", {0x12345680}, 32), 0xffffff80u);
  EXPECT_EQ(evaluate("cvt.u8.s32", {0x12345680}, 32), 0x80u);
  EXPECT_EQ(evaluate("cvt.s64.s32", {0x80000000}), 0xffffffff80000000u);
  EXPECT_EQ(evaluate("cvt.u64.u32", {0xffffffff'80000000}), 0x80000000u);
  EXPECT_EQ(evaluate("cvt.s16.s8", {0x80}, 64), 0xffffffffffffff80u);
  EXPECT_EQ(evaluate("cvt.sat.u8.s32", {0xffffffff}), 0u);
  EXPECT_EQ(evaluate("cvt.sat.s8.s32", {1000}), 0x7fu);
  EXPECT_EQ(evaluate("cvt.pack.sat.s16.s32", {0x00012345, 0xfffe0000}), 0x7fff'8000u);
  EXPECT_EQ(evaluate("cvt.pack.sat.u16.s32", {0x00012345, 0xfffe0000}), 0xffff'0000u);
  EXPECT_EQ(evaluate("cvt.pack.sat.u8.s32.b32", {300, 0xffffffff, 0xabcdef01}), 0xef01'ff00u);
  EXPECT_EQ(evaluate("cvt.pack.sat.s8.s32.b32", {300, 0xffffffff, 0x00000001}), 0x0001'7fffu);
  EXPECT_EQ(evaluate("cvt.pack.sat.u4.s32.b32", {15, 16, 0x00abcdef}), 0xabcdefffu);
  EXPECT_EQ(evaluate("cvt.pack.sat.s4.s32.b32", {0xffffff00, 100, 0}), 0x87u);
  EXPECT_EQ(evaluate("cvt.pack.sat.u2.s32.b32", {1, 9, 0xf}), 0xf7u);
  EXPECT_EQ(evaluate("cvt.pack.sat.s2.s32.b32", {0xfffffff0, 9, 0}), 0x9u);
}

struct ConvertHostRounding {
  explicit ConvertHostRounding(int mode) : before(std::fegetround()) { std::fesetround(mode); }
  ~ConvertHostRounding() { std::fesetround(before); }
  int before;
};
/// v rounded to an integer in a mode of the host. Volatile keeps it inside the mode; called through a
/// pointer, as the compiler's own sequence for rint rounds magnitudes.
double whole(double v, int mode) {
  const ConvertHostRounding rounding(mode);
  volatile double value = v;
  double (*volatile to_integral)(double) = std::rint;
  volatile double result = to_integral(value);
  return result;
}
struct ConvertNamedRounding {
  const char* name;
  int host;
};
constexpr ConvertNamedRounding convert_roundings[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

/// Through long double, which holds 64-bit integers and doubles exactly, so that the only rounding is the
/// last one.
template <class T>
T rounded(long double exact, int mode) {
  const ConvertHostRounding rounding(mode);
  volatile long double value = exact;
  volatile T result = static_cast<T>(value);
  return result;
}
const Codebook& half_values() {
  static const Codebook values(5, 10, 0x7bff);
  return values;
}
const Codebook& brain_values() {
  static const Codebook values(8, 7, 0x7f7f);
  return values;
}
/// A 16-bit float: the code found, or where it overflowed what IEEE 754 says for the rounding.
uint64_t to_16_bits(const Codebook& values, long double exact, bool negative_zero,
                    const std::string& rounding) {
  if (std::isinf(exact)) return (exact < 0 ? 0x8000u : 0u) | (values.largest() + 1);
  return values.round(exact, negative_zero, rounding);
}

TEST(convert_float, from_integers) {
  for (const ConvertIntegerType& from : integers)
    for (const auto& rounding : convert_roundings) {
      const std::string head = std::string("cvt.") + rounding.name, tail = std::string(".") + from.name;
      EXPECT_TRUE(rc::check(head + tail,
                            [&] {
                              const uint64_t a = *integer();
                              const auto value = static_cast<long double>(from.meaning(a));
                              RC_ASSERT(evaluate(head + ".f32" + tail, {a}) ==
                                        convert_bits(rounded<float>(value, rounding.host)));
                              RC_ASSERT(evaluate(head + ".f64" + tail, {a}) ==
                                        convert_bits(rounded<double>(value, rounding.host)));
                              RC_ASSERT(evaluate(head + ".f16" + tail, {a}) ==
                                        to_16_bits(half_values(), value, false, rounding.name));
                              if (from.width > 8)
                                RC_ASSERT(evaluate(head + ".bf16" + tail, {a}) ==
                                          to_16_bits(brain_values(), value, false, rounding.name));
                              const float clamped = std::min(1.0f, std::max(0.0f, static_cast<float>(value)));
                              RC_ASSERT(evaluate(head + ".sat.f32" + tail, {a}) == convert_bits(clamped));
                            }))
          << head << tail;
    }
}

/// Doubles where the formats end, and halfway cases of the narrow ones.
rc::Gen<double> convert_real() {
  const auto scaled = rc::gen::map(
      rc::gen::tuple(rc::gen::inRange(-160, 140),
                     rc::gen::inRange<int64_t>(-(int64_t{1} << 30), int64_t{1} << 30),
                     rc::gen::element<int>(5, 9, 12, 13, 24, 25, 30)),
      [](const std::tuple<int, int64_t, int>& t) {
        const int64_t kept = std::get<1>(t) >> (30 - std::get<2>(t));  // few significant bits make ties
        return std::ldexp(static_cast<double>(kept), std::get<0>(t) - std::get<2>(t));
      });
  const auto small = rc::gen::map(rc::gen::inRange(-4000, 4000), [](int v) { return v / 8.0; });
  const auto edge =
      rc::gen::element<double>(0.0, -0.0, 65504.0, 65519.99, 65520.0, 65536.0, 0x1p-24, 0x1p-25, 0x1.8p-25,
                               -0x1p-149, 0x1p-150, 0x1.fffffep127, 0x1.ffffffp127, 0x1p128, 255.5, -128.5,
                               2147483647.5, -2147483648.5, 0x1p63, -0x1p63, 0x1p64, INFINITY, -INFINITY);
  return rc::gen::weightedOneOf<double>({{5, scaled}, {3, small}, {1, edge}});
}

TEST(convert_float, between_floats) {
  for (const auto& rounding : convert_roundings) {
    const std::string head = std::string("cvt.") + rounding.name;
    EXPECT_TRUE(rc::check(head + " between floats", [&] {
      const double twice = *convert_real();
      const auto single = static_cast<float>(twice);
      RC_ASSERT(evaluate(head + ".f32.f64", {convert_bits(twice)}) ==
                convert_bits(rounded<float>(twice, rounding.host)));
      RC_ASSERT(evaluate(head + ".f16.f64", {convert_bits(twice)}) ==
                to_16_bits(half_values(), twice, std::signbit(twice), rounding.name));
      RC_ASSERT(evaluate(head + ".bf16.f64", {convert_bits(twice)}) ==
                to_16_bits(brain_values(), twice, std::signbit(twice), rounding.name));
      const uint64_t half = to_16_bits(half_values(), single, std::signbit(single), rounding.name);
      const uint64_t brain = to_16_bits(brain_values(), single, std::signbit(single), rounding.name);
      RC_ASSERT(evaluate(head + ".f16.f32", {convert_bits(single)}) == half);
      RC_ASSERT(evaluate(head + ".bf16.f32", {convert_bits(single)}) == brain);
      if ((half & 0x7fff) < 0x7c00) {
        const double value = half_values().value(half);
        RC_ASSERT(evaluate("cvt.f32.f16", {half}) == convert_bits(static_cast<float>(value)));
        RC_ASSERT(evaluate("cvt.f64.f16", {half}) == convert_bits(value));
        RC_ASSERT(evaluate(head + ".bf16.f16", {half}) ==
                  to_16_bits(brain_values(), value, std::signbit(value), rounding.name));
      }
      if ((brain & 0x7fff) < 0x7f80) {
        const double value = brain_values().value(brain);
        RC_ASSERT(evaluate("cvt.f32.bf16", {brain}) == convert_bits(static_cast<float>(value)));
        RC_ASSERT(evaluate(head + ".f64.bf16", {brain}) == convert_bits(value));
        RC_ASSERT(evaluate(head + ".f16.bf16", {brain}) ==
                  to_16_bits(half_values(), value, std::signbit(value), rounding.name));
      }
      RC_ASSERT(evaluate("cvt.f64.f32", {convert_bits(single)}) == convert_bits(static_cast<double>(single)));
    })) << head;
  }
}

TEST(convert_float, to_integral_floats) {
  for (const auto& rounding : convert_roundings) {
    const std::string head = std::string("cvt.") + rounding.name + "i";
    EXPECT_TRUE(rc::check(head + " to a float of the same size", [&] {
      const double twice = *convert_real();
      const auto single = static_cast<float>(twice);
      RC_ASSERT(evaluate(head + ".f64.f64", {convert_bits(twice)}) ==
                convert_bits(whole(twice, rounding.host)));
      RC_ASSERT(evaluate(head + ".f32.f32", {convert_bits(single)}) ==
                convert_bits(static_cast<float>(whole(single, rounding.host))));
      const uint64_t half = to_16_bits(half_values(), single, std::signbit(single), "rz");
      if ((half & 0x7fff) < 0x7c00) {
        const double value = whole(half_values().value(half), rounding.host);
        RC_ASSERT(evaluate(head + ".f16.f16", {half}) ==
                  to_16_bits(half_values(), value, std::signbit(half_values().value(half)), "rn"));
      }
    })) << head;
  }
}

TEST(convert_to_integer, rounds_and_clamps) {
  for (const ConvertIntegerType& to : integers)
    for (const auto& rounding : convert_roundings) {
      const std::string head = std::string("cvt.") + rounding.name + "i." + to.name;
      EXPECT_TRUE(rc::check(head, [&] {
        const double twice = *convert_real();
        const auto single = static_cast<float>(twice);
        const auto want = [&](double v) -> uint64_t {
          const double value = whole(v, rounding.host);
          if (value >= std::ldexp(1.0, to.width - to.is_signed))
            return in_register(to.greatest(), std::max(16, to.width));
          if (value < static_cast<double>(to.least())) return in_register(to.least(), std::max(16, to.width));
          return in_register(static_cast<__int128>(value), std::max(16, to.width));
        };
        RC_ASSERT(evaluate(head + ".f64", {convert_bits(twice)}) == want(twice));
        RC_ASSERT(evaluate(head + ".f32", {convert_bits(single)}) == want(single));
        const uint64_t half = to_16_bits(half_values(), single, false, "rz");
        if ((half & 0x7fff) < 0x7c00)
          RC_ASSERT(evaluate(head + ".f16", {half}) == want(half_values().value(half)));
        const uint64_t brain = to_16_bits(brain_values(), single, false, "rz");
        if (to.width > 8 && (brain & 0x7fff) < 0x7f80)
          RC_ASSERT(evaluate(head + ".bf16", {brain}) == want(brain_values().value(brain)));
      })) << head;
    }
}

// ptx, cvt: a NaN is 0, or the highest bit alone where source or destination has 64 bits.
TEST(convert_to_integer, not_a_number) {
  EXPECT_EQ(evaluate("cvt.rzi.s32.f32", {0x7fffffff}), 0u);
  EXPECT_EQ(evaluate("cvt.rzi.u16.f16", {0x7fff}), 0u);
  EXPECT_EQ(evaluate("cvt.rni.s32.bf16", {0xffc0}), 0u);
  EXPECT_EQ(evaluate("cvt.rzi.s64.f32", {0x7fffffff}), 0x8000000000000000u);
  EXPECT_EQ(evaluate("cvt.rzi.u64.f16", {0x7fff}), 0x8000000000000000u);
  EXPECT_EQ(evaluate("cvt.rzi.u32.f64", {0x7ff8000000000000}), 0x80000000u);
  EXPECT_EQ(evaluate("cvt.rzi.s32.f64", {0x7ff8000000000000}), 0x80000000u);
}

TEST(convert_float, golden_edges_of_flags) {
  EXPECT_EQ(evaluate("cvt.rpi.s32.f32", {1}), 1u);
  EXPECT_EQ(evaluate("cvt.rpi.ftz.s32.f32", {1}), 0u);
  EXPECT_EQ(evaluate("cvt.ftz.f32.f32", {0x80000001}), 0x80000000u);
  EXPECT_EQ(evaluate("cvt.ftz.f32.f16", {0x0001}), 0x33800000u) << "2^-24 is normal in single precision";
  EXPECT_EQ(evaluate("cvt.ftz.f32.bf16", {0x0001}), 0u);
  EXPECT_EQ(evaluate("cvt.ftz.f64.f32", {1}), 0u);
  EXPECT_EQ(evaluate("cvt.rn.ftz.f16.f32", {0x00400000}), 0u);
  EXPECT_EQ(evaluate("cvt.rp.ftz.f16.f32", {0x00400000}), 1u) << "an H200 flushes nothing on the way to f16";
  EXPECT_EQ(evaluate("cvt.rp.f16.f32", {0x00400000}), 1u);
  EXPECT_EQ(evaluate("cvt.rn.ftz.f32.f64", {convert_bits(0x1p-130)}), 0u);
  EXPECT_EQ(evaluate("cvt.sat.f32.f32", {convert_bits(1.5f)}), convert_bits(1.0f));
  EXPECT_EQ(evaluate("cvt.sat.f32.f32", {convert_bits(-1.5f)}), 0u);
  EXPECT_EQ(evaluate("cvt.sat.f32.f32", {0x7fffffff}), 0u);
  EXPECT_EQ(evaluate("cvt.sat.f32.f32", {convert_bits(0.25f)}), convert_bits(0.25f));
  EXPECT_EQ(evaluate("cvt.sat.f64.f64", {convert_bits(7.0)}), convert_bits(1.0));
  EXPECT_EQ(evaluate("cvt.rn.sat.f16.f32", {convert_bits(7.0f)}), 0x3c00u);
  EXPECT_EQ(evaluate("cvt.rn.sat.f32.f64", {convert_bits(-7.0)}), 0u);
  EXPECT_EQ(evaluate("cvt.rn.relu.f16.f32", {convert_bits(-7.0f)}), 0u);
  EXPECT_EQ(evaluate("cvt.rn.relu.f16.f32", {0xffffffff}), 0x7fffu);
  EXPECT_EQ(evaluate("cvt.rn.satfinite.f16.f32", {convert_bits(1e6f)}), 0x7bffu);
  EXPECT_EQ(evaluate("cvt.rn.satfinite.f16.f32", {0xff800000}), 0xfbffu);
  EXPECT_EQ(evaluate("cvt.rn.satfinite.relu.bf16.f32", {0xff800000}), 0u);
  EXPECT_EQ(evaluate("cvt.rn.satfinite.bf16.f32", {0x7f7fffff}), 0x7f7fu);
  EXPECT_EQ(evaluate("cvt.rn.f16.f32", {0xffc12345}), 0x7fffu);
  EXPECT_EQ(evaluate("cvt.rn.bf16.f32", {0xffc12345}), 0x7fffu);
  EXPECT_EQ(evaluate("cvt.f64.f32", {0xffc12345}), 0xfff82468a0000000u);
  EXPECT_EQ(evaluate("cvt.rn.f32.f64", {0xfff82468a0000000}), 0xffc12345u) << "as an H200 narrows it";
  EXPECT_EQ(evaluate("cvt.f16.bf16", {0x3f81}), 0x3c08u);
}

}  // namespace
}  // namespace assay::emulator::alu
