// SPDX-License-Identifier: Apache-2.0
#include <rapidcheck.h>

#include "devices/emulator/alu/evaluate.h"

namespace assay::emulator::alu::bits_test {
namespace {

// A position or length: bits 7:0 in the document's definitions; for 64 bits an H200 takes the whole word.
uint32_t place(uint32_t operand, int msb) {
  return msb == 31 ? operand & 0xff : std::min<uint32_t>(operand, 0xff);
}

// The document's bit-by-bit definitions, which share nothing with the shifts and masks of the implementation.
uint64_t bfe_bit_by_bit(uint64_t a, uint32_t b, uint32_t c, int msb, bool is_signed) {
  const uint32_t pos = place(b, msb), len = place(c, msb);
  uint64_t sign = 0;
  if (is_signed && len != 0) sign = a >> std::min<uint32_t>(pos + len - 1, msb) & 1;
  uint64_t d = 0;
  for (int i = 0; i <= msb; ++i)
    d |= (static_cast<uint32_t>(i) < len && pos + i <= static_cast<uint32_t>(msb) ? a >> (pos + i) & 1 : sign)
         << i;
  return d;
}
uint64_t bfi_bit_by_bit(uint64_t a, uint64_t b, uint32_t c, uint32_t d, int msb) {
  const uint32_t pos = place(c, msb), len = place(d, msb);
  for (uint32_t i = 0; i < len && pos + i <= static_cast<uint32_t>(msb); ++i)
    b = (b & ~(uint64_t{1} << (pos + i))) | (a >> i & 1) << (pos + i);
  return b;
}

TEST(bits, fields_follow_the_bitwise_definition) {
  EXPECT_TRUE(rc::check("bfe and bfi", [] {
    const uint64_t a = *rc::gen::arbitrary<uint64_t>(), into = *rc::gen::arbitrary<uint64_t>();
    const uint32_t pos = *rc::gen::oneOf(rc::gen::inRange<uint32_t>(0, 70), rc::gen::arbitrary<uint32_t>());
    const uint32_t len = *rc::gen::oneOf(rc::gen::inRange<uint32_t>(0, 70), rc::gen::arbitrary<uint32_t>());
    const uint64_t a32 = a & 0xffffffff;
    RC_ASSERT(evaluate("bfe.u32", {a, pos, len}) == bfe_bit_by_bit(a32, pos, len, 31, false));
    RC_ASSERT(evaluate("bfe.s32", {a, pos, len}) == bfe_bit_by_bit(a32, pos, len, 31, true));
    RC_ASSERT(evaluate("bfe.u64", {a, pos, len}) == bfe_bit_by_bit(a, pos, len, 63, false));
    RC_ASSERT(evaluate("bfe.s64", {a, pos, len}) == bfe_bit_by_bit(a, pos, len, 63, true));
    RC_ASSERT(evaluate("bfi.b32", {a, into, pos, len}) ==
              bfi_bit_by_bit(a32, into & 0xffffffff, pos, len, 31));
    RC_ASSERT(evaluate("bfi.b64", {a, into, pos, len}) == bfi_bit_by_bit(a, into, pos, len, 63));
  }));
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

}  // namespace
}  // namespace assay::emulator::alu::bits_test
