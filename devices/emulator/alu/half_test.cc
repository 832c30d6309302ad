// SPDX-License-Identifier: Apache-2.0
#include <rapidcheck.h>

#include "devices/emulator/alu/evaluate.h"
#include "devices/emulator/alu/half.h"

namespace assay::emulator::alu {
namespace {

struct HalfType {
  const char *one, *two;
  Codebook values;
  uint32_t infinity, one_point_zero;

  bool is_nan(uint32_t h) const { return (h & 0x7fff) > infinity; }
  bool is_infinite(uint32_t h) const { return (h & 0x7fff) == infinity; }
};
const HalfType& f16() {
  static const HalfType type{"f16", "f16x2", Codebook(5, 10, 0x7bff), 0x7c00, 0x3c00};
  return type;
}
const HalfType& bf16() {
  static const HalfType type{"bf16", "bf16x2", Codebook(8, 7, 0x7f7f), 0x7f80, 0x3f80};
  return type;
}

/// a op b (+ c), rounded to nearest by searching the list of values.
uint32_t half_expected(const HalfType& t, const std::string& base, uint32_t a, uint32_t b, uint32_t c) {
  if (base == "sub") return half_expected(t, "add", a, t.is_nan(b) ? b : b ^ 0x8000, 0);
  const bool ternary = base == "fma";
  if (t.is_nan(a) || t.is_nan(b) || (ternary && t.is_nan(c))) return 0x7fff;
  const uint32_t product_sign = (a ^ b) & 0x8000;
  const auto is_zero = [](uint32_t h) { return (h & 0x7fff) == 0; };
  const auto add_infinite = [&](uint32_t x, uint32_t y) -> uint32_t {  // one of them is infinite
    if (t.is_infinite(x) && t.is_infinite(y) && x != y) return 0x7fff;
    return t.is_infinite(x) ? x : y;
  };
  if (base == "add") {
    if (t.is_infinite(a) || t.is_infinite(b)) return add_infinite(a, b);
    return t.values.round(Exact{t.values.value(a)} + t.values.value(b), (a & b & 0x8000) != 0, "rn");
  }
  if (t.is_infinite(a) || t.is_infinite(b)) {
    if (is_zero(a) || is_zero(b)) return 0x7fff;
    return ternary ? add_infinite(product_sign | t.infinity, c) : product_sign | t.infinity;
  }
  const Exact product = Exact{t.values.value(a)} * t.values.value(b);
  if (!ternary) return t.values.round(product, product_sign != 0, "rn");
  if (t.is_infinite(c)) return c;
  const bool both_negative = product_sign != 0 && (c & 0x8000) != 0;
  return t.values.round(product + t.values.value(c), both_negative, "rn");
}

rc::Gen<uint32_t> half_operand(const HalfType& t) {
  const auto near =
      rc::gen::map(rc::gen::tuple(rc::gen::inRange(-0x800, 0x800), rc::gen::arbitrary<bool>()),
                   [&t](const std::tuple<int, bool>& v) {
                     return (t.one_point_zero + std::get<0>(v)) | (std::get<1>(v) ? 0x8000u : 0u);
                   });
  const auto small = rc::gen::map(rc::gen::inRange<uint32_t>(0, 0x1000),
                                  [](uint32_t v) { return (v & 0x7ff) | (v & 0x800) << 4; });
  const auto edge = rc::gen::element<uint32_t>(0, 0x8000, t.infinity, t.infinity | 0x8000, t.infinity - 1,
                                               0x7fff, 0x7ff7, 0xfff7, 0x7e01, t.one_point_zero, 1);
  return rc::gen::weightedOneOf<uint32_t>(
      {{3, near}, {2, small}, {3, rc::gen::inRange<uint32_t>(0, 0x10000)}, {1, edge}});
}

bool close_enough_for_oracle(const HalfType& t, uint32_t a, uint32_t b, uint32_t c) {
  if (&t == &f16()) return true;
  // bf16: beyond 113 bits between the ends of product and addend the oracle itself would round.
  const auto exponent = [](uint32_t h) { return static_cast<int>(h >> 7 & 0xff); };
  if ((a & 0x7fff) == 0 || (b & 0x7fff) == 0 || (c & 0x7fff) == 0) return true;
  return std::abs(exponent(a) + exponent(b) - 127 - exponent(c)) < 80;
}

TEST(half, arithmetic_rounds_once) {
  for (const HalfType* t : {&f16(), &bf16()})
    for (const char* base : {"add", "sub", "mul", "fma"}) {
      const bool ternary = std::string(base) == "fma";
      const std::string stem = std::string(base) + (ternary ? ".rn." : ".");
      EXPECT_TRUE(rc::check(stem + t->one,
                            [&] {
                              std::vector<uint64_t> low, high, pair;
                              for (int i = 0; i < (ternary ? 3 : 2); ++i) {
                                low.push_back(*half_operand(*t));
                                high.push_back(*half_operand(*t));
                                pair.push_back(high[i] << 16 | low[i]);
                              }
                              const uint32_t c = ternary ? low[2] : 0;
                              RC_PRE(!ternary || close_enough_for_oracle(*t, low[0], low[1], c));
                              const uint32_t want = half_expected(*t, base, low[0], low[1], c);
                              const uint64_t got = evaluate(stem + t->one, low);
                              RC_ASSERT(got == (t->is_infinite(want) ? (want & 0x8000) | t->infinity : want));
                              RC_ASSERT(evaluate(stem + t->two, pair) ==
                                        (evaluate(stem + t->one, high) << 16 | got));
                            }))
          << stem << t->one;
    }
}

// Where the sum is a tie but for a last bit far below, on either side of it.
TEST(half, fma_sees_what_lies_far_below_a_tie) {
  EXPECT_EQ(evaluate("fma.rn.f16", {0x3c01, 0x3c01, 0x1000}),
            0x3c03u);  // 1.002 + 2^-11 + ...: just above a tie
  EXPECT_EQ(evaluate("fma.rn.bf16", {0x3f81, 0x4000, 0x3780}), 0x4001u);  // exact but for 2^-16
  EXPECT_EQ(evaluate("fma.rn.bf16", {0x3f80, 0x4001, 0x3c00}), 0x4002u) << "a tie goes to even";
  EXPECT_EQ(evaluate("fma.rn.bf16", {0x3f81, 0x3f80, 0x3b80}), 0x3f82u) << "a tie goes to even";
  // 1.5 * 1.0234375 is a tie between 0x3fc4 and 0x3fc5; the smallest subnormal decides.
  EXPECT_EQ(evaluate("fma.rn.bf16", {0x3fc0, 0x3f83, 0}), 0x3fc4u);
  EXPECT_EQ(evaluate("fma.rn.bf16", {0x3fc0, 0x3f83, 0x0001}), 0x3fc5u);
  EXPECT_EQ(evaluate("fma.rn.bf16", {0x3fc0, 0x3f83, 0x8001}), 0x3fc4u);
  EXPECT_EQ(evaluate("fma.rn.bf16", {0xbfc0, 0x3f83, 0x8001}), 0xbfc5u);
  EXPECT_EQ(evaluate("fma.rn.bf16", {0x4380, 0x3f80, 0x3f80}), 0x4380u) << "256 + 1 is a tie";
  EXPECT_EQ(evaluate("fma.rn.bf16", {0x4380, 0x3f80, 0x3f81}), 0x4381u) << "256 + 1.0078 is above it";
  EXPECT_EQ(evaluate("fma.rn.bf16", {0x4381, 0x3f80, 0x3f7f}), 0x4381u) << "258 + 0.996 is below one";
  EXPECT_EQ(evaluate("fma.rn.bf16", {0x0081, 0x3f00, 0}), 0x0040u) << "a subnormal tie";
  EXPECT_EQ(evaluate("fma.rn.bf16", {0x0081, 0x3f00, 0x0000}), evaluate("mul.bf16", {0x0081, 0x3f00}));
}

TEST(half, every_f16_value_survives_widening_and_narrowing) {
  for (uint32_t h = 0; h < 0x10000; ++h) {
    const float wide = f16_to_float(static_cast<uint16_t>(h));
    if (f16().is_nan(h)) {
      EXPECT_NE(wide, wide);
      EXPECT_EQ(float_to_f16(wide), 0x7fff);
      continue;
    }
    const bool same = f16().is_infinite(h) || wide == static_cast<float>(f16().values.value(h));
    EXPECT_TRUE(same) << h;
    EXPECT_EQ(float_to_f16(wide), h);
  }
}

TEST(half, modifiers_wrap_the_plain_operation) {
  const auto flushed = [](uint64_t h) { return (h & 0x7c00) == 0 ? h & 0x8000 : h; };
  const auto clamped = [](uint64_t h) -> uint64_t {
    if ((h & 0x8000) != 0 || (h & 0x7fff) > 0x7c00) return 0;
    return std::min<uint64_t>(h, 0x3c00);
  };
  const auto rectified = [](uint64_t h) -> uint64_t { return (h & 0x8000) != 0 ? 0 : h; };
  EXPECT_TRUE(rc::check(".ftz, .sat and .relu of f16", [&] {
    const uint64_t a = *half_operand(f16()), b = *half_operand(f16()), c = *half_operand(f16());
    const uint64_t fa = flushed(a), fb = flushed(b), fc = flushed(c);
    RC_ASSERT(evaluate("add.ftz.f16", {a, b}) == flushed(evaluate("add.f16", {fa, fb})));
    RC_ASSERT(evaluate("sub.sat.f16", {a, b}) == clamped(evaluate("sub.f16", {a, b})));
    RC_ASSERT(evaluate("mul.ftz.sat.f16", {a, b}) == clamped(flushed(evaluate("mul.f16", {fa, fb}))));
    RC_ASSERT(evaluate("fma.rn.ftz.f16", {a, b, c}) == flushed(evaluate("fma.rn.f16", {fa, fb, fc})));
    RC_ASSERT(evaluate("fma.rn.sat.f16", {a, b, c}) == clamped(evaluate("fma.rn.f16", {a, b, c})));
    RC_ASSERT(evaluate("fma.rn.relu.f16", {a, b, c}) == rectified(evaluate("fma.rn.f16", {a, b, c})));
    RC_ASSERT(evaluate("fma.rn.ftz.relu.f16", {a, b, c}) == rectified(evaluate("fma.rn.ftz.f16", {a, b, c})));
  }));
  EXPECT_TRUE(rc::check(".relu of bf16", [&] {
    const uint64_t a = *half_operand(bf16()), b = *half_operand(bf16()), c = *half_operand(bf16());
    RC_ASSERT(evaluate("fma.rn.relu.bf16", {a, b, c}) == rectified(evaluate("fma.rn.bf16", {a, b, c})));
  }));
}

// h200, F-03: +0 exactly when a multiplicand is 0x7FF7 or 0xFFF7, whatever else; the addend never triggers;
// any other NaN gives 0x7FFF.
TEST(half, fma_oob_zeroes_on_the_fill_value_only) {
  for (const char* type : {"f16", "bf16"})
    for (const char* modifiers : {"rn.oob", "rn.oob.relu"}) {
      const std::string text = std::string("fma.") + modifiers + "." + type;
      const uint64_t one = std::string(type) == "f16" ? 0x3c00 : 0x3f80;
      for (uint32_t h = 0; h < 0x10000; ++h) {
        const HalfType& t = std::string(type) == "f16" ? f16() : bf16();
        const bool fill = h == 0x7ff7 || h == 0xfff7;
        if (!t.is_nan(h)) continue;
        EXPECT_EQ(evaluate(text, {h, one, one}), fill ? 0u : 0x7fffu) << text << " " << h;
        EXPECT_EQ(evaluate(text, {one, h, 0x7fff}), fill ? 0u : 0x7fffu) << text << " " << h;
        EXPECT_EQ(evaluate(text, {one, one, h}), 0x7fffu) << text << " " << h;
      }
      EXPECT_EQ(evaluate(text, {0x7ff7, 0x7c00, 0xfc00}), 0u);
    }
  EXPECT_EQ(evaluate("fma.rn.oob.f16x2", {0x3c00'7ff7, 0x3c00'3c00, 0x3c00'3c00}), 0x4000'0000u);
  EXPECT_EQ(evaluate("fma.rn.oob.relu.bf16x2", {0x3f80'3f80, 0xbf80'fff7, 0}), 0u);
  EXPECT_EQ(evaluate("fma.rn.f16", {0x7ff7, 0x3c00, 0x3c00}), 0x7fffu) << "only .oob knows the fill value";
}

TEST(half, mixed_precision_is_single_precision_of_widened_operands) {
  EXPECT_TRUE(rc::check("add, sub, fma .f32.f16 and .f32.bf16", [] {
    const uint64_t a = *half_operand(f16()), b = *half_operand(f16()), c = *rc::gen::arbitrary<uint32_t>();
    const uint64_t wide_a = std::bit_cast<uint32_t>(f16_to_float(a)),
                   wide_b = std::bit_cast<uint32_t>(f16_to_float(b));
    for (const char* modifiers : {"rn", "rz", "rm.sat", "rp"}) {
      const std::string m = modifiers;
      RC_ASSERT(evaluate("add." + m + ".f32.f16", {a, c}) == evaluate("add." + m + ".f32", {wide_a, c}));
      RC_ASSERT(evaluate("sub." + m + ".f32.f16", {a, c}) == evaluate("sub." + m + ".f32", {wide_a, c}));
      RC_ASSERT(evaluate("fma." + m + ".f32.f16", {a, b, c}) ==
                evaluate("fma." + m + ".f32", {wide_a, wide_b, c}));
      RC_ASSERT(evaluate("add." + m + ".f32.bf16", {a, c}) == evaluate("add." + m + ".f32", {a << 16, c}));
      RC_ASSERT(evaluate("fma." + m + ".f32.bf16", {a, b, c}) ==
                evaluate("fma." + m + ".f32", {a << 16, b << 16, c}));
    }
  }));
  EXPECT_EQ(evaluate("sub.f32.bf16", {0x3f80, 0x40000000}), 0xbf800000u);
}

}  // namespace
}  // namespace assay::emulator::alu
