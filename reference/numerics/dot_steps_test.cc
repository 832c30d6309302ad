// SPDX-License-Identifier: Apache-2.0
#include "reference/numerics/dot_steps.h"

#include <gtest/gtest.h>

#include "reference/numerics/exact.h"
#include "reference/numerics/fast.h"
#include "reference/numerics/instructions.h"
#include "reference/numerics/random_tile.h"

namespace assay::numerics {
namespace {

/// The first combination of formats of a row.
Types types_of(const Instruction& row) {
  const std::string_view first = row.types.substr(0, row.types.find(' '));
  Types types{spec::find_format(first), spec::find_format(first), spec::find_format(row.d), row.k[0]};
  if (!row.scale.empty()) types.scale = spec::find_format(row.scale), types.scale_block = row.scale_block;
  return types;
}

template <typename Codes>
std::vector<uint64_t> wide(const Codes& codes) {
  return {codes.begin(), codes.end()};
}

// The steps are worked out from one another here, so that none of them is only decoration.
TEST(DotSteps, LeadToTheResultOfEveryInstruction) {
  TileMaker maker(7);
  int sums = 0;
  for (const Instruction& row : instructions()) {
    if (row.arithmetic.scheme == Scheme::chain) continue;
    for (int mix = 0; mix < mix_count; ++mix) {
      const Types types = types_of(row);
      const RandomTile tile = maker.make(types, 1, 1, static_cast<Mix>(mix));
      std::vector<uint32_t> fast(1);
      fast_tile(row.arithmetic, types, tile.tile(1, 1), fast);
      const auto a = wide(tile.a), b = wide(tile.b);
      const auto scale_a = wide(tile.scale_a), scale_b = wide(tile.scale_b);
      const DotSteps steps = exact_steps(row.arithmetic, types, {a, b, tile.c[0], scale_a, scale_b});
      EXPECT_EQ(steps.result, fast[0]) << row.family << " " << row.types << " mix " << mix;
      ASSERT_FALSE(steps.blocks.empty());
      const bool is_last = row.arithmetic.accumulator == AccumulatorPlace::inside;
      EXPECT_TRUE(!is_last || steps.blocks.back().result == steps.result);
      for (const BlockSteps& block : steps.blocks) {
        if (block.is_special) continue;
        ++sums;
        Dyadic sum{BigInt(0), block.unit};
        for (const TermStep& term : block.terms) {
          sum = sum + term.aligned;
          EXPECT_TRUE(term.exact.is_zero() || term.exponent <= block.largest);
          EXPECT_TRUE(term.aligned.is_zero() || term.aligned.exponent == block.unit);
        }
        EXPECT_TRUE((sum + Dyadic{-block.sum.significand, block.sum.exponent}).is_zero());
      }
    }
  }
  EXPECT_GT(sums, 100);
}

TEST(DotSteps, OfASumWorkedOutByHand) {
  const Types types{&spec::format("f16"), &spec::format("f16"), &spec::format("f32"), 16};
  const Instruction* row = find_instruction("wgmma", types, false);
  ASSERT_NE(row, nullptr);
  std::vector<uint64_t> a(16), b(16);
  a[0] = 0x3e00, b[0] = 0xc000;                                                            // 1.5 * -2
  a[5] = 0x0001, b[5] = 0x1400;                                                            // 2^-24 * 2^-10
  const DotSteps steps = exact_steps(row->arithmetic, types, {a, b, 0x3e800000, {}, {}});  // 0.25
  ASSERT_EQ(steps.blocks.size(), 1u);
  const BlockSteps& block = steps.blocks[0];
  EXPECT_EQ(block.largest, 1) << "factors of exponents 0 and 1";
  EXPECT_EQ(block.unit, 1 - row->arithmetic.kept_bits);
  ASSERT_EQ(block.terms.size(), 17u);
  EXPECT_EQ(block.terms[0].k, -1);
  EXPECT_EQ(block.terms[0].exponent, -2);
  EXPECT_EQ(block.terms[1].k, 0);
  EXPECT_TRUE(block.terms[1].aligned.is_negative());
  EXPECT_EQ(block.terms[1].aligned.significand.low_word(), uint64_t{3} << -block.unit);
  EXPECT_FALSE(block.terms[1].is_cut());
  EXPECT_TRUE(block.terms[6].aligned.is_zero());
  EXPECT_TRUE(block.terms[6].is_cut());
  EXPECT_EQ(steps.result, 0xc0300000u) << "-2.75";
}

}  // namespace
}  // namespace assay::numerics
