// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <set>

#include "reference/model/barrier/mbarrier.h"

namespace assay::model {
namespace {

struct GoldenWrite {
  AsyncOp op;
  uint32_t bytes, seed, digest;
};
/// Computed apart in integers without bounds, from PTX's words on st.async, red.async and atom.
constexpr GoldenWrite goldens[] = {
    {AsyncOp::bulk_copy, 48, 1, 0x9bf7252a},    {AsyncOp::bulk_copy, 64, 2, 0x03671df8},
    {AsyncOp::store_b32, 4, 1, 0x4e667450},     {AsyncOp::store_b32, 4, 30, 0x29af849a},
    {AsyncOp::store_b64, 8, 1, 0x7e8f1d64},     {AsyncOp::store_b64, 8, 30, 0x810e1029},
    {AsyncOp::store_v2_b32, 8, 1, 0x7e8f1d64},  {AsyncOp::store_v2_b32, 8, 30, 0x810e1029},
    {AsyncOp::store_v4_b32, 16, 1, 0xf217f0c6}, {AsyncOp::store_v4_b32, 16, 30, 0x9aa6d6a6},
    {AsyncOp::store_v2_b64, 16, 1, 0xf217f0c6}, {AsyncOp::store_v2_b64, 16, 30, 0x9aa6d6a6},
    {AsyncOp::inc_u32, 4, 1, 0x8ab6ce6f},       {AsyncOp::inc_u32, 4, 30, 0xe8e4413b},
    {AsyncOp::dec_u32, 4, 1, 0x4e667450},       {AsyncOp::dec_u32, 4, 30, 0x29af849a},
    {AsyncOp::min_u32, 4, 1, 0x4e667450},       {AsyncOp::min_u32, 4, 30, 0x29af849a},
    {AsyncOp::min_s32, 4, 1, 0x25b3df88},       {AsyncOp::min_s32, 4, 30, 0x29af849a},
    {AsyncOp::max_u32, 4, 1, 0x25b3df88},       {AsyncOp::max_u32, 4, 30, 0x25b3df88},
    {AsyncOp::max_s32, 4, 1, 0x4e667450},       {AsyncOp::max_s32, 4, 30, 0x25b3df88},
    {AsyncOp::add_32, 4, 1, 0xe9638569},        {AsyncOp::add_32, 4, 30, 0x667f22e7},
    {AsyncOp::add_u64, 8, 1, 0x6158dfd6},       {AsyncOp::add_u64, 8, 30, 0x2bbba35a},
    {AsyncOp::and_b32, 4, 1, 0xa5b3df88},       {AsyncOp::and_b32, 4, 30, 0xf308359a},
    {AsyncOp::or_b32, 4, 1, 0xce667450},        {AsyncOp::or_b32, 4, 30, 0x5c5b2e88},
    {AsyncOp::xor_b32, 4, 1, 0xb3696337},       {AsyncOp::xor_b32, 4, 30, 0x52373a29},
};

TEST(AsyncWrites, GoldenDigests) {
  std::set<AsyncOp> ops;
  for (const GoldenWrite& g : goldens) {
    EXPECT_EQ(digest_after({g.bytes, g.op, g.seed}), g.digest) << name_of(g.op) << ' ' << g.seed;
    ops.insert(g.op);
  }
  EXPECT_EQ(ops.size(), async_ops);
}

TEST(AsyncWrites, AreAsLongAsTheyAreAndFitBehindTheirFirstWord) {
  for (uint32_t op = 0; op < async_ops + 1; ++op)
    for (uint32_t bytes = 0; bytes < 256; ++bytes)
      for (uint32_t seed = 0; seed < 16; ++seed) {
        const AsyncWrite w{bytes, static_cast<AsyncOp>(op), seed};
        const bool is_copy = w.op == AsyncOp::bulk_copy;
        const bool fits =
            op < async_ops && (is_copy ? bytes != 0 && bytes % 16 == 0 && w.first_word() * 4 + bytes <= 64
                                       : bytes == bytes_of(w.op));
        ASSERT_EQ(async_write(w.amount()).has_value(), fits) << op << ' ' << bytes << ' ' << seed;
      }
}

}  // namespace
}  // namespace assay::model
