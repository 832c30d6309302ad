// SPDX-License-Identifier: Apache-2.0
#include <rapidcheck.h>

#include <optional>

#include "devices/emulator/alu/evaluate.h"

namespace assay::emulator::alu {
namespace {

using Big = __int128;

struct IntegerTypeRow {
  const char* name;
  int bits;
  bool is_signed;
};
constexpr IntegerTypeRow integer_types[] = {{"u16", 16, false}, {"u32", 32, false}, {"u64", 64, false},
                                            {"s16", 16, true},  {"s32", 32, true},  {"s64", 64, true}};

/// The integer that the low bits of a register mean, and the register that an integer becomes.
Big meaning(const IntegerTypeRow& type, uint64_t bits) {
  const Big mask = (Big{1} << type.bits) - 1, value = static_cast<Big>(bits) & mask;
  return type.is_signed && (value >> (type.bits - 1)) != 0 ? value - (Big{1} << type.bits) : value;
}
uint64_t truncated(int bits, Big value) {
  return static_cast<uint64_t>(value & ((Big{1} << bits) - 1));
}
Big product(Big a, Big b) {  // modulo 2^128
  return static_cast<Big>(static_cast<unsigned __int128>(a) * static_cast<unsigned __int128>(b));
}
Big sum(Big a, Big b) {
  return static_cast<Big>(static_cast<unsigned __int128>(a) + static_cast<unsigned __int128>(b));
}

/// What PTX says an integer instruction does, over unbounded integers. Products of two 64-bit integers fit
/// 128 bits as patterns, which is all that .lo and .hi of signed and unsigned ones need.
std::optional<uint64_t> integer_expected(const std::string& base, const IntegerTypeRow& t, Big a, Big b,
                                         Big c) {
  const auto distance = [](Big x, Big y) { return x < y ? y - x : x - y; };
  if (base == "add") return truncated(t.bits, a + b);
  if (base == "sub") return truncated(t.bits, a - b);
  if (base == "min") return truncated(t.bits, a < b ? a : b);
  if (base == "max") return truncated(t.bits, a < b ? b : a);
  if (base == "sad") return truncated(t.bits, c + distance(a, b));
  if (base == "mul.lo") return truncated(t.bits, product(a, b));
  if (base == "mul.hi") return truncated(t.bits, (product(a, b) >> t.bits));
  if (base == "mad.lo") return truncated(t.bits, sum(product(a, b), c));
  if (base == "mad.hi") return truncated(t.bits, sum(product(a, b) >> t.bits, c));
  if (base == "mul.wide" && t.bits < 64) return truncated(2 * t.bits, product(a, b));
  if (base == "div" && b != 0) return truncated(t.bits, a / b);
  if (base == "rem" && b != 0) return truncated(t.bits, a % b);
  if (base == "abs" && t.is_signed) return truncated(t.bits, a < 0 ? -a : a);
  if (base == "neg" && t.is_signed) return truncated(t.bits, -a);
  return std::nullopt;
}

/// Operands with the edges of every width among them, and bits above the type that must not matter.
rc::Gen<uint64_t> integer_operand() {
  return rc::gen::oneOf(
      rc::gen::arbitrary<uint64_t>(),
      rc::gen::element<uint64_t>(0, 1, 2, 3, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
                                 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
                                 0xffffffff80000000, 0xffffffffffff8000),
      rc::gen::map(rc::gen::inRange(-20, 20), [](int v) { return static_cast<uint64_t>(int64_t{v}); }));
}

TEST(integer, agrees_with_unbounded_arithmetic) {
  for (const char* base : {"add", "sub", "min", "max", "sad", "mul.lo", "mul.hi", "mul.wide", "mad.lo",
                           "mad.hi", "div", "rem", "abs", "neg"})
    for (const IntegerTypeRow& type : integer_types) {
      const std::string text = std::string(base) + "." + type.name;
      const auto form = find_lane_form(opcode_of(text));
      if (!form) continue;  // mul.wide.u64 and the like: find_test.cc says which
      const bool holds = rc::check(text, [&] {
        const uint64_t a = *integer_operand(), b = *integer_operand(), c = *integer_operand();
        const auto want = integer_expected(base, type, meaning(type, a), meaning(type, b), meaning(type, c));
        RC_PRE(want.has_value());
        const std::vector<uint64_t> all{a, b, c};
        RC_ASSERT(evaluate(text, {all.begin(), all.begin() + form->sources}) == *want);
      });
      EXPECT_TRUE(holds) << text;
    }
}

TEST(integer, saturates_s32_only) {
  EXPECT_EQ(evaluate("add.sat.s32", {0x7fffffff, 1}), 0x7fffffffu);
  EXPECT_EQ(evaluate("add.sat.s32", {0x80000000, 0xffffffff}), 0x80000000u);
  EXPECT_EQ(evaluate("add.sat.s32", {5, 0xfffffff0}), 0xfffffff5u);
  EXPECT_EQ(evaluate("sub.sat.s32", {0x80000000, 1}), 0x80000000u);
  EXPECT_EQ(evaluate("sub.sat.s32", {0, 0x80000000}), 0x7fffffffu);
  EXPECT_EQ(evaluate("add.s32", {0x7fffffff, 1}), 0x80000000u);
  // 0x7fffffff * 0x7fffffff = 0x3fffffff00000001
  EXPECT_EQ(evaluate("mad.hi.sat.s32", {0x7fffffff, 0x7fffffff, 0x7fffffff}), 0x7fffffffu);
  EXPECT_EQ(evaluate("mad.hi.s32", {0x7fffffff, 0x7fffffff, 0x7fffffff}), 0xbffffffeu);
  EXPECT_EQ(evaluate("mad.hi.sat.s32", {0x80000000, 0x7fffffff, 0x80000000}), 0x80000000u);
}

TEST(integer, division_at_its_edges) {
  EXPECT_EQ(evaluate("div.s32", {0x80000000, 0xffffffff}), 0x80000000u);
  EXPECT_EQ(evaluate("rem.s32", {0x80000000, 0xffffffff}), 0u);
  EXPECT_EQ(evaluate("div.s64", {0x8000000000000000, ~uint64_t{0}}), 0x8000000000000000u);
  EXPECT_EQ(evaluate("rem.s64", {0x8000000000000000, ~uint64_t{0}}), 0u);
  EXPECT_EQ(evaluate("div.s16", {0x8000, 0xffff}), 0x8000u);
  EXPECT_EQ(evaluate("div.s32", {static_cast<uint32_t>(-7), 2}), static_cast<uint32_t>(-3));
  EXPECT_EQ(evaluate("rem.s32", {static_cast<uint32_t>(-7), 2}), static_cast<uint32_t>(-1));
  EXPECT_EQ(evaluate("rem.s32", {7, static_cast<uint32_t>(-2)}), 1u);
  // By zero: unspecified in PTX, but never a trap of the host.
  EXPECT_EQ(evaluate("div.u32", {7, 0}), 0xffffffffu);
  EXPECT_EQ(evaluate("rem.u32", {7, 0}), 7u);
  EXPECT_EQ(evaluate("div.s64", {7, 0}), ~uint64_t{0});
}

TEST(integer, minimum_and_maximum_with_relu_and_pairs) {
  EXPECT_EQ(evaluate("max.relu.s32", {0xfffffffe, 0xffffffff}), 0u);
  EXPECT_EQ(evaluate("min.relu.s32", {5, 7}), 5u);
  EXPECT_EQ(evaluate("min.relu.s32", {0xffffffff, 7}), 0u);
  EXPECT_EQ(evaluate("max.s16x2", {0x8000'0001, 0x7fff'ffff}), 0x7fff'0001u);
  EXPECT_EQ(evaluate("max.u16x2", {0x8000'0001, 0x7fff'ffff}), 0x8000'ffffu);
  EXPECT_EQ(evaluate("min.relu.s16x2", {0x8000'0001, 0x7fff'0002}), 0x0000'0001u);
  EXPECT_EQ(evaluate("add.u16x2", {0xffff'ffff, 0x0001'0001}), 0u);
  EXPECT_EQ(evaluate("add.s16x2", {0x7fff'0001, 0x0001'ffff}), 0x8000'0000u);
}

TEST(integer, twenty_four_bit_products) {
  // -1 * -1 in 24 bits; the upper 8 bits of the operands do not count.
  EXPECT_EQ(evaluate("mul24.lo.s32", {0x12ffffff, 0x34ffffff}), 1u);
  EXPECT_EQ(evaluate("mul24.lo.u32", {0x12ffffff, 0x34ffffff}), 0xfe000001u);
  EXPECT_EQ(evaluate("mul24.hi.u32", {0xffffff, 0xffffff}), 0xfffffe00u);
  EXPECT_EQ(evaluate("mul24.hi.s32", {0x800000, 0x7fffff}), 0xc0000080u);
  EXPECT_EQ(evaluate("mad24.lo.s32", {3, 5, 0xfffffff0}), 0xffffffffu);
  EXPECT_EQ(evaluate("mad24.hi.sat.s32", {0x7fffff, 0x7fffff, 0x7fffffff}), 0x7fffffffu);
  EXPECT_EQ(evaluate("mad24.hi.s32", {0x7fffff, 0x7fffff, 0x7fffffff}), 0xbffffeffu);
}

TEST(integer, dot_products) {
  EXPECT_EQ(evaluate("dp4a.u32.u32", {0xffffffff, 0xffffffff, 1}), 4u * 255 * 255 + 1);
  EXPECT_EQ(evaluate("dp4a.s32.s32", {0xffffffff, 0xffffffff, 1}), 5u);
  EXPECT_EQ(evaluate("dp4a.s32.u32", {0xffffffff, 0x04030201, 0}), static_cast<uint32_t>(-10));
  EXPECT_EQ(evaluate("dp4a.u32.s32", {0x04030201, 0xffffffff, 0}), static_cast<uint32_t>(-10));
  EXPECT_EQ(evaluate("dp4a.u32.u32", {0x04030201, 0x05060708, 0}), 1u * 8 + 2 * 7 + 3 * 6 + 4 * 5);
  EXPECT_EQ(evaluate("dp2a.lo.u32.u32", {0x0003'0002, 0x07060504, 100}), 2u * 4 + 3 * 5 + 100);
  EXPECT_EQ(evaluate("dp2a.hi.u32.u32", {0x0003'0002, 0x07060504, 100}), 2u * 6 + 3 * 7 + 100);
  EXPECT_EQ(evaluate("dp2a.lo.s32.s32", {0xffff'8000, 0x000001ff, 0}), 0x8000u - 1);
}

TEST(carry, chains_are_wide_arithmetic) {
  const bool sums = rc::check("add.cc then addc is one wide addition", [] {
    const uint64_t a = *integer_operand(), b = *integer_operand();
    for (const char* type : {"u32", "s32"}) {
      const Results low = evaluate_both(std::string("add.cc.") + type, {a, b});
      const uint64_t high = evaluate(std::string("addc.") + type, {a >> 32, b >> 32, low.d2});
      RC_ASSERT((high << 32 | low.d) == a + b);
    }
  });
  const bool differences = rc::check("sub.cc, subc.cc then subc is one wide subtraction", [] {
    const uint64_t a0 = *integer_operand(), a1 = *integer_operand(), b0 = *integer_operand(),
                   b1 = *integer_operand();
    const Results low = evaluate_both("sub.cc.u64", {a0, b0});
    const Results high = evaluate_both("subc.cc.u64", {a1, b1, low.d2});
    const uint64_t borrow = evaluate("subc.u64", {0, 0, high.d2});
    using Wide = unsigned __int128;
    const Wide a = Wide{a1} << 64 | a0, b = Wide{b1} << 64 | b0;
    RC_ASSERT((Wide{high.d} << 64 | low.d) == a - b);
    RC_ASSERT(borrow == (a < b ? ~uint64_t{0} : 0));
  });
  const bool products = rc::check("mad.cc and madc make a wide product", [] {
    const uint64_t a = *integer_operand(), b = *integer_operand();
    const uint64_t a0 = a & 0xffffffff, a1 = a >> 32, b0 = b & 0xffffffff, b1 = b >> 32;
    // The document's own example for madc: a 64 by 64 bit product from 32-bit steps.
    uint64_t r0 = evaluate("mul.lo.u32", {a0, b0}), r1 = evaluate("mul.hi.u32", {a0, b0}), r2, r3;
    Results step = evaluate_both("mad.lo.cc.u32", {a1, b0, r1});
    r1 = step.d;
    r2 = evaluate("madc.hi.u32", {a1, b0, 0, step.d2});
    step = evaluate_both("mad.lo.cc.u32", {a0, b1, r1});
    r1 = step.d;
    step = evaluate_both("madc.hi.cc.u32", {a0, b1, r2, step.d2});
    r2 = step.d;
    r3 = evaluate("addc.u32", {0, 0, step.d2});
    step = evaluate_both("mad.lo.cc.u32", {a1, b1, r2});
    r2 = step.d;
    r3 = evaluate("madc.hi.u32", {a1, b1, r3, step.d2});
    using Wide = unsigned __int128;
    RC_ASSERT((Wide{r3} << 96 | Wide{r2} << 64 | Wide{r1} << 32 | r0) == Wide{a} * b);
  });
  EXPECT_TRUE(sums && differences && products);
}

TEST(carry, ripples_through_a_word_of_ones) {
  EXPECT_EQ(evaluate_both("addc.cc.u32", {0xffffffff, 0, 1}), (Results{0, 1}));
  EXPECT_EQ(evaluate_both("addc.cc.u64", {0, ~uint64_t{0}, 1}), (Results{0, 1}));
  EXPECT_EQ(evaluate_both("addc.cc.s32", {0xffffffff, 0, 0}), (Results{0xffffffff, 0}));
  EXPECT_EQ(evaluate_both("subc.cc.u32", {5, 5, 0}), (Results{0xffffffff, 0}));
  EXPECT_EQ(evaluate_both("subc.cc.u32", {5, 5, 1}), (Results{0, 1}));
  EXPECT_EQ(evaluate_both("madc.lo.cc.u32", {0x10000, 0x10000, 0xffffffff, 1}), (Results{0, 1}));
}

}  // namespace
}  // namespace assay::emulator::alu
