// SPDX-License-Identifier: Apache-2.0
#include "reference/numerics/dyadic.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <cmath>

namespace assay::numerics {
namespace {

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
