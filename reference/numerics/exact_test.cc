// SPDX-License-Identifier: Apache-2.0
#include "reference/numerics/exact.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <cmath>

#include "reference/numerics/arithmetic.h"
#include "reference/numerics/dyadic.h"
#include "reference/numerics/fast.h"
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

using Int = __int128;

BigInt big(Int value) {
  return BigInt::from(static_cast<unsigned __int128>(value < 0 ? -value : value), value < 0);
}

RC_GTEST_PROP(BigIntProperty, AgreesWithTheProcessorWhereItFits, (int64_t x, int64_t y, int64_t z)) {
  const int shift = *rc::gen::inRange(0, 60);
  RC_ASSERT(big(x) * big(y) == big(Int{x} * y));
  RC_ASSERT(big(Int{x} * y) + big(z) == big(Int{x} * y + z));
  RC_ASSERT(big(x) + big(-x) == BigInt());
  RC_ASSERT(big(x).shifted_left(shift) == big(Int{x} * (Int{1} << shift)));
  RC_ASSERT(big(Int{x} * y).shifted_right(shift) == big(Int{x} * y / (Int{1} << shift)));
  RC_ASSERT(big(x).is_odd() == (x % 2 != 0));
}

RC_GTEST_PROP(BigIntProperty, ShiftsAndProductsAgreeBeyond128Bits, (int64_t x, uint32_t y)) {
  const int shift = *rc::gen::inRange(100, 900);
  RC_ASSERT(big(x).shifted_left(shift).shifted_right(shift) == big(x));
  RC_ASSERT(big(x).shifted_left(shift) * big(y) == (big(x) * big(y)).shifted_left(shift));
  RC_ASSERT(big(x).shifted_left(shift) + big(y) + big(-Int{y}) == big(x).shifted_left(shift));
}

RC_GTEST_PROP(DyadicProperty, RoundingToIntegersAgreesWithTheProcessor, (int32_t numerator)) {
  const int places = *rc::gen::inRange(0, 12);
  const double value = std::ldexp(numerator, -places);
  const Dyadic dyadic{BigInt(numerator), -places};
  const auto rounded = [&](spec::Rounding rounding) { return dyadic.rounded_to(0, rounding).significand; };
  RC_ASSERT(rounded(spec::Rounding::toward_zero) == BigInt(static_cast<int64_t>(std::trunc(value))));
  RC_ASSERT(rounded(spec::Rounding::down) == BigInt(static_cast<int64_t>(std::floor(value))));
  RC_ASSERT(rounded(spec::Rounding::up) == BigInt(static_cast<int64_t>(std::ceil(value))));
  RC_ASSERT(rounded(spec::Rounding::nearest_even) == BigInt(static_cast<int64_t>(std::nearbyint(value))));
  RC_ASSERT(rounded(spec::Rounding::nearest_away) == BigInt(static_cast<int64_t>(std::round(value))));
}

TEST(Dyadic, SumsOfFarApartNumbersAreExact) {
  const Dyadic large{BigInt(1), 500}, small{BigInt(-1), -500};
  const Dyadic sum = large + small;
  EXPECT_EQ(sum.leading_exponent(), 499);
  EXPECT_TRUE((sum + Dyadic{BigInt(-1), 500} + Dyadic{BigInt(1), -500}).is_zero());
  EXPECT_TRUE(sum.exact().sticky);
  EXPECT_EQ(sum.rounded_to(500, spec::Rounding::toward_zero).significand, BigInt());
  EXPECT_EQ(sum.rounded_to(500, spec::Rounding::nearest_even).significand, BigInt(1));
}

}  // namespace
}  // namespace assay::numerics
