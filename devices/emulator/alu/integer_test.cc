// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "devices/emulator/alu/evaluate.h"

// Edges worked out by hand; random operands of every form meet suites/scalar/integer.h (ScalarOracle.*).

namespace assay::emulator::alu {
namespace {

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
