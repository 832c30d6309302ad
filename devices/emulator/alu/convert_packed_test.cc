// SPDX-License-Identifier: Apache-2.0
#include <rapidcheck.h>

#include <cmath>

#include "devices/emulator/alu/codebook.h"
#include "devices/emulator/alu/evaluate.h"

namespace assay::emulator::alu::convert_packed_test {
namespace {

uint64_t bits(float v) {
  return std::bit_cast<uint32_t>(v);
}

struct Narrow {
  const char *pair, *four;
  int width;
  Codebook values;
  uint32_t nan;  ///< what a NaN becomes: a NaN, or the largest positive value
};
const std::vector<Narrow>& narrow_types() {
  static const std::vector<Narrow> types = {{"e4m3x2", "e4m3x4", 8, Codebook(4, 3, 0x7e), 0x7f},
                                            {"e5m2x2", "e5m2x4", 8, Codebook(5, 2, 0x7b), 0x7f},
                                            {"e3m2x2", "e3m2x4", 8, Codebook(3, 2, 0x1f), 0x1f},
                                            {"e2m3x2", "e2m3x4", 8, Codebook(2, 3, 0x1f), 0x1f},
                                            {"e2m1x2", "e2m1x4", 4, Codebook(2, 1, 0x07), 0x07}};
  return types;
}

uint32_t expected(const Narrow& t, float x, bool relu) {
  if (std::isnan(x)) return t.nan;
  if (relu && std::signbit(x)) return 0;
  const uint32_t sign = std::signbit(x) ? t.values.sign() : 0;
  if (std::isinf(x)) return sign | t.values.largest();
  return sign | std::min(t.values.magnitude(x, std::signbit(x), "rn"), t.values.largest());
}

rc::Gen<float> real() {
  const auto scaled = rc::gen::map(rc::gen::tuple(rc::gen::inRange(-22, 20), rc::gen::inRange(-64, 64)),
                                   [](const std::tuple<int, int>& t) {
                                     return std::ldexp(static_cast<float>(std::get<1>(t)), std::get<0>(t));
                                   });
  const auto nudged = rc::gen::map(scaled, [](float v) { return std::nextafter(v, INFINITY); });
  return rc::gen::weightedOneOf<float>(
      {{4, scaled},
       {2, nudged},
       {1, rc::gen::map(rc::gen::arbitrary<uint32_t>(), [](uint32_t b) { return std::bit_cast<float>(b); })},
       {1, rc::gen::element<float>(0.0f, -0.0f, INFINITY, -INFINITY, NAN)}});
}

TEST(convert_packed, to_narrow_pairs_is_the_nearest_value_or_the_largest) {
  for (const Narrow& t : narrow_types())
    for (bool relu : {false, true}) {
      const std::string text = std::string("cvt.rn.satfinite.") + (relu ? "relu." : "") + t.pair;
      EXPECT_TRUE(rc::check(text, [&] {
        const float a = *real(), b = *real();
        RC_ASSERT(evaluate(text + ".f32", {bits(a), bits(b)}) ==
                  (expected(t, a, relu) << t.width | expected(t, b, relu)));
        if (!find_lane_form(opcode_of(text + ".f16x2"))) return;
        const uint64_t halves = evaluate("cvt.rn.f16x2.f32", {bits(a), bits(b)});
        const auto half = [](uint64_t h) {
          return std::bit_cast<float>(static_cast<uint32_t>(evaluate("cvt.f32.f16", {h & 0xffff})));
        };
        RC_ASSERT(evaluate(text + ".f16x2", {halves}) ==
                  (expected(t, half(halves >> 16), relu) << t.width | expected(t, half(halves), relu)));
      })) << text;
    }
}

TEST(convert_packed, from_narrow_pairs_is_exact) {
  for (const Narrow& t : narrow_types())
    for (uint32_t code = 0; code < 2 * t.values.sign(); ++code) {
      const std::string text = std::string("cvt.rn.f16x2.") + t.pair;
      const uint32_t magnitude = code & (t.values.sign() - 1), sign = code & t.values.sign();
      uint64_t want = 0x7fff;
      if (magnitude <= t.values.largest())
        want = evaluate("cvt.rn.f16.f32", {bits(static_cast<float>(t.values.value(code)))}) & 0x7fff;
      else if (std::string(t.pair) == "e5m2x2" && magnitude == 0x7c)
        want = 0x7c00;
      const bool is_nan = want == 0x7fff;
      if (sign != 0 && !is_nan) want |= 0x8000;
      EXPECT_EQ(evaluate(text, {code << t.width}), want << 16) << text << " " << code;
      EXPECT_EQ(evaluate(text, {code}), want) << text << " " << code;
      const uint64_t rectified = (want & 0x8000) != 0 ? 0 : want;
      EXPECT_EQ(evaluate(std::string("cvt.rn.relu.f16x2.") + t.pair, {code}), rectified)
          << text << " " << code;
    }
}

TEST(convert_packed, pairs_of_halves_are_two_scalar_conversions) {
  for (const char* modifiers : {"rn", "rz", "rn.relu", "rz.satfinite", "rn.relu.satfinite"})
    for (const char* type : {"f16", "bf16"}) {
      const std::string pair = std::string("cvt.") + modifiers + "." + type + "x2.f32";
      const std::string one = std::string("cvt.") + modifiers + "." + type + ".f32";
      EXPECT_TRUE(rc::check(pair, [&] {
        const uint64_t a = bits(*real()), b = bits(*real());
        RC_ASSERT(evaluate(pair, {a, b}) == (evaluate(one, {a}) << 16 | evaluate(one, {b})));
      })) << pair;
    }
}

// Random rounding is between the two neighbours; all zeros never round up, and the document's carry decides.
TEST(convert_packed, random_bits_round_by_their_carry) {
  // bf16 drops 16 bits: 0x3f80'4000 is 1 + a quarter step, so random bits from 0xc000 on carry.
  EXPECT_EQ(evaluate("cvt.rs.bf16x2.f32", {0x3f804000, 0x3f804000, 0xbfff'c000}), 0x3f80'3f81u);
  EXPECT_EQ(evaluate("cvt.rs.bf16x2.f32", {0x3f804000, 0xbf804000, 0xc000'bfff}), 0x3f81'bf80u);
  // f16 drops 13 bits, and takes 13 random ones.
  EXPECT_EQ(evaluate("cvt.rs.f16x2.f32", {0x3f800001, 0x3f801000, 0x1fff'1000}), 0x3c01'3c01u);
  EXPECT_EQ(evaluate("cvt.rs.f16x2.f32", {0x3f800001, 0x3f801000, 0xffff'0fff}), 0x3c01'3c00u);
  EXPECT_EQ(evaluate("cvt.rs.relu.satfinite.f16x2.f32", {bits(-1.5f), bits(1e9f), 0}), 0x0000'7bffu);
  // e4m3 drops 20 bits; its 16 random bits meet the top 16 of them. Halfway needs 0x8000, which the upper
  // value of each pair reads from the last bit on.
  const uint64_t half_step = bits(1.0625f);
  EXPECT_EQ(
      evaluate("cvt.rs.satfinite.e4m3x4.f32", {half_step, half_step, half_step, half_step, 0x8000'7fff}),
      0x38393938u);
  EXPECT_EQ(evaluate("cvt.rs.satfinite.e2m1x4.f32",
                     {bits(1.25f), bits(1.25f), bits(1.25f), bits(1.25f), 0x80'80'7f'7f}),
            0x3232u);
  EXPECT_EQ(evaluate("cvt.rs.satfinite.e5m2x4.f32", {bits(1.0f), bits(-2.0f), bits(0.5f), bits(1e30f), ~0u}),
            0x3cc0387bu);
  for (const Narrow& t : narrow_types())
    EXPECT_TRUE(rc::check(std::string("cvt.rs.") + t.four, [&] {
      const float x = *real();
      RC_PRE(!std::isnan(x) && std::fabs(x) <= t.values.value(t.values.largest()));
      const uint32_t random = *rc::gen::arbitrary<uint32_t>();
      const std::string text = std::string("cvt.rs.satfinite.") + t.four + ".f32";
      const uint64_t all = evaluate(text, {bits(x), bits(x), bits(x), bits(x), random});
      const uint64_t none = evaluate(text, {bits(x), bits(x), bits(x), bits(x), 0});
      const uint32_t down = t.values.round(x, std::signbit(x), "rz");
      for (int i = 0; i < 4; ++i) {
        const auto code = static_cast<uint32_t>(all >> (i * t.width) & ((1u << t.width) - 1));
        RC_ASSERT(code == down || code == down + 1);
        if (t.values.value(down) == x) RC_ASSERT(code == down);
        RC_ASSERT((none >> (i * t.width) & ((1u << t.width) - 1)) == down);
      }
    })) << t.four;
}

TEST(convert_packed, ue8m0_is_an_exponent) {
  // Values 2^(code - 127): up to the next power, or down to it.
  EXPECT_EQ(evaluate("cvt.rp.satfinite.ue8m0x2.f32", {bits(1.0f), bits(1.5f)}), 0x7f80u);
  EXPECT_EQ(evaluate("cvt.rz.satfinite.ue8m0x2.f32", {bits(1.0f), bits(1.5f)}), 0x7f7fu);
  EXPECT_EQ(evaluate("cvt.rz.ue8m0x2.f32", {0x7f800000, 0x7fffffff}), 0xffffu);
  EXPECT_EQ(evaluate("cvt.rz.satfinite.ue8m0x2.f32", {0x7f800000, 0x7fffffff}), 0xfeffu);
  EXPECT_EQ(evaluate("cvt.rp.satfinite.ue8m0x2.f32", {0x7f7fffff, 0}), 0xfe00u);
  EXPECT_EQ(evaluate("cvt.rp.ue8m0x2.f32", {0x00400000, 0x00400001}), 0x0001u);
  EXPECT_EQ(evaluate("cvt.rp.ue8m0x2.bf16x2", {0x3f80'3fc0}), 0x7f80u);
  EXPECT_EQ(evaluate("cvt.rz.ue8m0x2.bf16x2", {0x4000'3fc0}), 0x807fu);
  EXPECT_EQ(evaluate("cvt.rn.bf16x2.ue8m0x2", {0x7f80}), 0x3f80'4000u);
  EXPECT_EQ(evaluate("cvt.rn.bf16x2.ue8m0x2", {0xff00}), 0x7fff'0040u);
}

TEST(convert_packed, tf32_keeps_ten_fraction_bits) {
  EXPECT_EQ(evaluate("cvt.rn.tf32.f32", {0x3f801000}), 0x3f800000u);
  EXPECT_EQ(evaluate("cvt.rn.tf32.f32", {0x3f803000}), 0x3f804000u);
  EXPECT_EQ(evaluate("cvt.rna.tf32.f32", {0x3f801000}), 0x3f802000u);
  EXPECT_EQ(evaluate("cvt.rna.tf32.f32", {0xbf801000}), 0xbf802000u);
  EXPECT_EQ(evaluate("cvt.rz.tf32.f32", {0x3f803fff}), 0x3f802000u);
  EXPECT_EQ(evaluate("cvt.rn.tf32.f32", {0x00001000}), 0u);
  EXPECT_EQ(evaluate("cvt.rn.tf32.f32", {0x00001001}), 0x00002000u);
  EXPECT_EQ(evaluate("cvt.rn.tf32.f32", {0x7f7fffff}), 0x7f800000u);
  EXPECT_EQ(evaluate("cvt.rn.satfinite.tf32.f32", {0x7f7fffff}), 0x7f7fe000u);
  EXPECT_EQ(evaluate("cvt.rna.satfinite.tf32.f32", {0xff800000}), 0xff7fe000u);
  EXPECT_EQ(evaluate("cvt.rz.relu.tf32.f32", {0xbf801000}), 0u);
  // NaN, as an H200 converts it: .rna treats the bits as those of a number.
  EXPECT_EQ(evaluate("cvt.rn.tf32.f32", {0xffc00000}), 0x7fffe000u);
  EXPECT_EQ(evaluate("cvt.rna.tf32.f32", {0x7fff4b15}), 0x7fff4000u);
  EXPECT_EQ(evaluate("cvt.rna.satfinite.tf32.f32", {0x7fb59da2}), 0x7fb56000u);
}

}  // namespace
}  // namespace assay::emulator::alu::convert_packed_test
