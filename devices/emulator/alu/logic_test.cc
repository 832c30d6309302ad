// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <functional>

#include "devices/emulator/alu/evaluate.h"

namespace assay::emulator::alu {
namespace {

TEST(logic, bitwise_and_logical) {
  EXPECT_EQ(evaluate("and.b16", {0xffff'f0f0, 0xffff'3c3c}), 0x3030u);
  EXPECT_EQ(evaluate("or.b32", {0xf0f0, 0x3c3c}), 0xfcfcu);
  EXPECT_EQ(evaluate("xor.b64", {0xf000'0000'0000'000f, 0xff}), 0xf000'0000'0000'00f0u);
  EXPECT_EQ(evaluate("not.b16", {0x00ff}), 0xff00u);
  EXPECT_EQ(evaluate("not.b32", {0}), 0xffffffffu);
  EXPECT_EQ(evaluate("cnot.b32", {0}), 1u);
  EXPECT_EQ(evaluate("cnot.b16", {0x1'0000}), 1u);
  EXPECT_EQ(evaluate("cnot.b64", {0x1'0000}), 0u);
  for (uint64_t a : {0, 1}) {
    EXPECT_EQ(evaluate("not.pred", {a}), 1 - a);
    for (uint64_t b : {0, 1}) {
      EXPECT_EQ(evaluate("and.pred", {a, b}), a & b);
      EXPECT_EQ(evaluate("or.pred", {a, b}), a | b);
      EXPECT_EQ(evaluate("xor.pred", {a, b}), a ^ b);
    }
  }
}

// The document defines immLut as F(0xF0, 0xCC, 0xAA); any F built of logical operators must come back.
TEST(logic, lop3_is_the_function_that_made_its_table) {
  using Function = std::function<uint32_t(uint32_t, uint32_t, uint32_t)>;
  const Function functions[] = {
      [](uint32_t a, uint32_t b, uint32_t c) { return a & b & c; },
      [](uint32_t a, uint32_t b, uint32_t c) { return a | b | c; },
      [](uint32_t a, uint32_t b, uint32_t c) { return a & b & ~c; },
      [](uint32_t a, uint32_t b, uint32_t c) { return ((a & b) | c) ^ a; },
      [](uint32_t a, uint32_t b, uint32_t c) { return a ^ b ^ c; },
      [](uint32_t a, uint32_t b, uint32_t c) { return (a & b) | (~a & c); },
      [](uint32_t, uint32_t, uint32_t) { return 0u; },
      [](uint32_t, uint32_t b, uint32_t) { return ~b; },
  };
  EXPECT_TRUE(rc::check("lop3", [&] {
    const uint32_t a = *rc::gen::arbitrary<uint32_t>(), b = *rc::gen::arbitrary<uint32_t>(),
                   c = *rc::gen::arbitrary<uint32_t>();
    for (const Function& f : functions) {
      const uint32_t table = f(0xf0, 0xcc, 0xaa) & 0xff;
      RC_ASSERT(evaluate("lop3.b32", {a, b, c, table}) == f(a, b, c));
      for (uint64_t q : {0, 1}) {
        const bool some = f(a, b, c) != 0;
        const Results either = evaluate_both("lop3.or.b32", {a, b, c, table, q});
        const Results both = evaluate_both("lop3.and.b32", {a, b, c, table, q});
        RC_ASSERT(either == (Results{f(a, b, c), some || q != 0}));
        RC_ASSERT(both == (Results{f(a, b, c), some && q != 0}));
      }
    }
  }));
}

TEST(logic, lop3_may_drop_its_value) {
  Column a = column_of(0xff), zero = column_of(0), table = column_of(0x80), q = column_of(0),
         p = column_of(7);
  LaneArgs args;
  args.d2 = p.data();
  args.s[0] = args.s[1] = args.s[2] = a.data();
  args.s[3] = table.data();
  args.s[4] = q.data();
  args.mask = 0xffffffff;
  find_lane_form(opcode_of("lop3.or.b32"))->op(args);
  EXPECT_EQ(p, column_of(1));
  args.s[0] = zero.data();
  find_lane_form(opcode_of("lop3.or.b32"))->op(args);
  EXPECT_EQ(p, column_of(0));
}

TEST(logic, shifts_clamp_their_amount) {
  EXPECT_EQ(evaluate("shl.b16", {0xffff'0001, 15}), 0x8000u);
  EXPECT_EQ(evaluate("shl.b16", {1, 16}), 0u);
  EXPECT_EQ(evaluate("shl.b32", {0xffffffff, 31}), 0x80000000u);
  EXPECT_EQ(evaluate("shl.b32", {0xffffffff, 32}), 0u);
  EXPECT_EQ(evaluate("shl.b32", {0xffffffff, 0xffffffff}), 0u);
  EXPECT_EQ(evaluate("shl.b64", {1, 63}), 0x8000000000000000u);
  EXPECT_EQ(evaluate("shl.b64", {1, 64}), 0u);
  EXPECT_EQ(evaluate("shr.u32", {0x80000000, 31}), 1u);
  EXPECT_EQ(evaluate("shr.u32", {0x80000000, 32}), 0u);
  EXPECT_EQ(evaluate("shr.b32", {0x80000000, 4}), 0x08000000u);
  EXPECT_EQ(evaluate("shr.s32", {0x80000000, 4}), 0xf8000000u);
  EXPECT_EQ(evaluate("shr.s32", {0x80000000, 100}), 0xffffffffu);
  EXPECT_EQ(evaluate("shr.s32", {0x7fffffff, 100}), 0u);
  EXPECT_EQ(evaluate("shr.s16", {0x8000, 1}), 0xc000u);
  EXPECT_EQ(evaluate("shr.u16", {0xffff'8000, 1}), 0x4000u);
  EXPECT_EQ(evaluate("shr.s64", {0x8000000000000000, 63}), ~uint64_t{0});
  EXPECT_EQ(evaluate("shr.s64", {0x8000000000000000, 64}), ~uint64_t{0});
}

// Bytes named by their number: a = 3 2 1 0, b = 7 6 5 4 from the top.
TEST(logic, byte_permutations) {
  constexpr uint64_t a = 0x03020100, b = 0x07060504;
  EXPECT_EQ(evaluate("prmt.b32", {a, b, 0x7531}), 0x07050301u);
  EXPECT_EQ(evaluate("prmt.b32", {a, b, 0xffff'3210}), 0x03020100u);
  EXPECT_EQ(evaluate("prmt.b32", {0x00800080, 0x7f, 0xca8b}), 0x00ff'ff00u);
  // The document's table of the modes, from the most significant byte down, for c = 0 to 3.
  const auto expect = [&](const char* mode, std::array<uint32_t, 4> rows) {
    for (uint64_t c = 0; c < 4; ++c)
      EXPECT_EQ(evaluate(std::string("prmt.b32.") + mode, {a, b, c | 0xfffffffc}), rows[c])
          << mode << " " << c;
  };
  expect("f4e", {0x03020100, 0x04030201, 0x05040302, 0x06050403});
  expect("b4e", {0x05060700, 0x06070001, 0x07000102, 0x00010203});
  expect("rc8", {0x00000000, 0x01010101, 0x02020202, 0x03030303});
  expect("ecl", {0x03020100, 0x03020101, 0x03020202, 0x03030303});
  expect("ecr", {0x00000000, 0x01010100, 0x02020100, 0x03020100});
  expect("rc16", {0x01000100, 0x03020302, 0x01000100, 0x03020302});
}

TEST(move, copies_the_width_of_the_type) {
  for (const char* type : {"b16", "u16", "s16"})
    EXPECT_EQ(evaluate(std::string("mov.") + type, {0x1234'5678}), 0x5678u);
  for (const char* type : {"b32", "u32", "s32", "f32"})
    EXPECT_EQ(evaluate(std::string("mov.") + type, {0x8'7fa0'0001}), 0x7fa0'0001u);
  for (const char* type : {"b64", "u64", "s64", "f64"})
    EXPECT_EQ(evaluate(std::string("mov.") + type, {0x7ff4'0000'0000'0001}), 0x7ff4'0000'0000'0001u);
  EXPECT_EQ(evaluate("mov.pred", {1}), 1u);
  EXPECT_EQ(evaluate("mov.pred", {0}), 0u);
}

TEST(move, selections) {
  EXPECT_EQ(evaluate("selp.b32", {10, 20, 1}), 10u);
  EXPECT_EQ(evaluate("selp.f64", {10, 20, 0}), 20u);
  EXPECT_EQ(evaluate("selp.s16", {0x1'fffe, 20, 1}), 0xfffeu);
  EXPECT_EQ(evaluate("slct.u32.s32", {10, 20, 0}), 10u);
  EXPECT_EQ(evaluate("slct.u32.s32", {10, 20, 0x80000000}), 20u);
  EXPECT_EQ(evaluate("slct.b64.f32", {10, 20, 0x80000000}), 10u) << "minus zero is not below zero";
  EXPECT_EQ(evaluate("slct.b64.f32", {10, 20, 0x80000001}), 20u);
  EXPECT_EQ(evaluate("slct.ftz.b64.f32", {10, 20, 0x80000001}), 10u) << "a flushed subnormal is minus zero";
  EXPECT_EQ(evaluate("slct.f32.f32", {10, 20, 0x7fffffff}), 20u) << "NaN is not at or above zero";
}

TEST(bits, counts) {
  EXPECT_EQ(evaluate("popc.b32", {0xffff'ffff'8000'0001}), 2u);
  EXPECT_EQ(evaluate("popc.b64", {0xffff'ffff'8000'0001}), 34u);
  EXPECT_EQ(evaluate("clz.b32", {0}), 32u);
  EXPECT_EQ(evaluate("clz.b32", {0x1'0000'0001}), 31u);
  EXPECT_EQ(evaluate("clz.b64", {0}), 64u);
  EXPECT_EQ(evaluate("clz.b64", {0x1'0000'0000}), 31u);
  EXPECT_EQ(evaluate("brev.b32", {0x00000001}), 0x80000000u);
  EXPECT_EQ(evaluate("brev.b32", {0x12345678}), 0x1e6a2c48u);
  EXPECT_EQ(evaluate("brev.b64", {0x12345678}), 0x1e6a2c4800000000u);
}

TEST(bits, most_significant_non_sign_bit) {
  EXPECT_EQ(evaluate("bfind.u32", {0}), 0xffffffffu);
  EXPECT_EQ(evaluate("bfind.u32", {0x00010000}), 16u);
  EXPECT_EQ(evaluate("bfind.shiftamt.u32", {0x00010000}), 15u);
  EXPECT_EQ(evaluate("bfind.shiftamt.u32", {0}), 0xffffffffu);
  EXPECT_EQ(evaluate("bfind.s32", {0xffffffff}), 0xffffffffu);
  EXPECT_EQ(evaluate("bfind.s32", {0xfffffffe}), 0u);
  EXPECT_EQ(evaluate("bfind.s32", {0x80000000}), 30u);
  EXPECT_EQ(evaluate("bfind.u64", {0x8000000000000000}), 63u);
  EXPECT_EQ(evaluate("bfind.shiftamt.s64", {1}), 63u);
}

TEST(bits, nth_set_bit) {
  // The document's four examples.
  EXPECT_EQ(evaluate("fns.b32", {0xaaaaaaaa, 3, 1}), 3u);
  EXPECT_EQ(evaluate("fns.b32", {0xaaaaaaaa, 3, 0xffffffff}), 3u);
  EXPECT_EQ(evaluate("fns.b32", {0xaaaaaaaa, 2, 1}), 3u);
  EXPECT_EQ(evaluate("fns.b32", {0xaaaaaaaa, 2, 0xffffffff}), 1u);
  EXPECT_EQ(evaluate("fns.b32", {0xaaaaaaaa, 3, 0}), 3u);
  EXPECT_EQ(evaluate("fns.b32", {0xaaaaaaaa, 2, 0}), 0xffffffffu);
  EXPECT_EQ(evaluate("fns.b32", {0xaaaaaaaa, 0, 16}), 31u);
  EXPECT_EQ(evaluate("fns.b32", {0xaaaaaaaa, 0, 17}), 0xffffffffu);
  EXPECT_EQ(evaluate("fns.b32", {0xffffffff, 0, 0x80000000}), 0xffffffffu);
}

TEST(bits, masks_and_extensions) {
  EXPECT_EQ(evaluate("bmsk.wrap.b32", {1, 2}), 0x00000006u);
  EXPECT_EQ(evaluate("bmsk.clamp.b32", {4, 40}), 0xfffffff0u);
  EXPECT_EQ(evaluate("bmsk.clamp.b32", {32, 4}), 0u);
  EXPECT_EQ(evaluate("bmsk.wrap.b32", {33, 34}), 0x00000006u);
  EXPECT_EQ(evaluate("bmsk.wrap.b32", {8, 0}), 0u);
  EXPECT_EQ(evaluate("bmsk.clamp.b32", {28, 8}), 0xf0000000u);
  EXPECT_EQ(evaluate("szext.wrap.u32", {0xffffffff, 0}), 0u);
  EXPECT_EQ(evaluate("szext.wrap.s32", {0x00000080, 8}), 0xffffff80u);
  EXPECT_EQ(evaluate("szext.wrap.u32", {0xffffff80, 8}), 0x80u);
  EXPECT_EQ(evaluate("szext.clamp.s32", {0x80000001, 32}), 0x80000001u);
  EXPECT_EQ(evaluate("szext.wrap.s32", {0x80000001, 33}), 0xffffffffu);
}

// Edges worked out by hand; random operands of every form meet suites/scalar/integer.h (ScalarOracle.*).

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
