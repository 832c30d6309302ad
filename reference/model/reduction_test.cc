// SPDX-License-Identifier: Apache-2.0
#include "reference/model/reduction.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>

namespace assay::model {
namespace {

using spec::ReduceOp;
using spec::ReduceType;

constexpr spec::Reduction add_f16{ReduceOp::add, ReduceType::f16}, add_bf16{ReduceOp::add, ReduceType::bf16},
    add_f32{ReduceOp::add, ReduceType::f32}, add_f64{ReduceOp::add, ReduceType::f64},
    add_ftz{ReduceOp::add, ReduceType::f32_ftz};

/// Bits in which exponents are close, or edges, as often as anything.
uint64_t float_bits(std::mt19937_64& random, int exponent, int fraction) {
  const uint64_t any = random();
  const uint64_t top = (uint64_t{1} << exponent) - 1;
  uint64_t e = any >> 8 & top;
  if (any % 4 == 1) e = any >> 8 & 3;
  if (any % 4 == 2) e = top - (any >> 8 & 3);
  if (any % 4 == 3) e = (top / 2 + (any >> 8 & 15)) & top;
  uint64_t f = random() >> (64 - fraction);
  if (any >> 40 & 1) f = f >> (fraction - 1) << (fraction - 1);
  return (any >> 63) << (exponent + fraction) | e << fraction | f;
}

// The host adds in the same formats, once rounded to nearest even.
TEST(Reduction, SumsOfWideFloatsAreThoseOfTheHost) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 400000; ++i) {
    const uint64_t a = float_bits(random, 11, 52), b = float_bits(random, 11, 52);
    const double sum = std::bit_cast<double>(a) + std::bit_cast<double>(b);
    if (sum == sum) {
      ASSERT_EQ(reduced(add_f64, a, b), std::bit_cast<uint64_t>(sum)) << std::hex << a << " " << b;
    }
    const auto x = static_cast<uint32_t>(float_bits(random, 8, 23)),
               y = static_cast<uint32_t>(float_bits(random, 8, 23));
    const float single = std::bit_cast<float>(x) + std::bit_cast<float>(y);
    ASSERT_EQ(reduced(add_f32, x, y), single == single ? std::bit_cast<uint32_t>(single) : 0x7fffffffu)
        << std::hex << x << " " << y;
  }
}

/// A value of a 16-bit float, exact in double.
double value_of(uint64_t bits, int exponent, int fraction) {
  const auto e = static_cast<int>(bits >> fraction & ((1u << exponent) - 1));
  const auto f = static_cast<double>(bits & ((1u << fraction) - 1));
  const int bias = (1 << (exponent - 1)) - 1;
  const double magnitude =
      e == 0 ? std::ldexp(f, 1 - bias - fraction) : std::ldexp(f + (1 << fraction), e - bias - fraction);
  return (bits >> (exponent + fraction) & 1) != 0 ? -magnitude : magnitude;
}

// A sum of finite numbers is the nearest of its format: neither neighbour is nearer, and of two as near it is
// the even one.
TEST(Reduction, SumsOfNarrowFloatsAreTheNearest) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 400000; ++i)
    for (const auto& [what, exponent, fraction] : {std::tuple{add_f16, 5, 10}, std::tuple{add_bf16, 8, 7}}) {
      const uint64_t a = float_bits(random, exponent, fraction), b = float_bits(random, exponent, fraction);
      const uint64_t magnitude = (uint64_t{1} << (exponent + fraction)) - 1;
      const uint64_t infinity = ((uint64_t{1} << exponent) - 1) << fraction;
      if ((a & magnitude) >= infinity || (b & magnitude) >= infinity) continue;
      const uint64_t sum = reduced(what, a, b);
      // Both are multiples of 2^-133, and a double has room for their sum where they are not too far apart.
      const double exact = value_of(a, exponent, fraction) + value_of(b, exponent, fraction);
      if (exact - value_of(a, exponent, fraction) != value_of(b, exponent, fraction)) continue;
      if ((sum & magnitude) >= infinity) continue;  // the golden sums below
      const double error = std::fabs(value_of(sum, exponent, fraction) - exact);
      for (const uint64_t neighbour : {sum - 1, sum + 1}) {
        if ((sum & magnitude) == 0 || (neighbour & magnitude) >= infinity) continue;
        const double other = std::fabs(value_of(neighbour, exponent, fraction) - exact);
        ASSERT_TRUE(error < other || (error == other && sum % 2 == 0)) << std::hex << a << " " << b;
      }
    }
}

// From the rows measured on an H200 (R-02 to R-06, BR-03, BR-04), and worked out on paper.
TEST(Reduction, GoldenElements) {
  const std::tuple<spec::Reduction, uint64_t, uint64_t, uint64_t> rows[] = {
      {add_f32, 2, 1, 3},
      {add_f32, 0x007fffff, 0xbf800000, 0xbf800000},
      {add_f32, 0x7f7fffff, 0x7f7fffff, 0x7f800000},
      {add_f32, 0x7f800000, 0xff800000, 0x7fffffff},
      {add_ftz, 2, 1, 0},
      {add_ftz, 0x80000001, 0x80000000, 0x80000000},
      {add_f64, 0, 0xfff0123456789abc, 0xfff0123456789abc},
      {add_f64, 0x7ff8000000000000, 0x7fffffffffffffff, 0x7fffffffffffffff},
      {add_f64, 0x7ff0000000000000, 0xfff0000000000000, 0xfff8000000000000},
      {add_f16, 0x7bff, 0x7bff, 0x7c00},
      {add_f16, 0x7bff, 0x4c00,
       0x7c00},  // a half of the last place above the largest: to even, which is 2^16
      {add_f16, 0x7c01, 0x0000, 0x7fff},
      {add_bf16, 0x8000, 0x8000, 0x8000},
      {add_bf16, 0x3f80, 0xbf80, 0x0000},
      {{ReduceOp::min, ReduceType::f16}, 0x8000, 0x0000, 0x8000},
      {{ReduceOp::max, ReduceType::f16}, 0x8000, 0x0000, 0x0000},
      {{ReduceOp::min, ReduceType::f16}, 0x7c01, 0x7e00, 0x7fff},
      {{ReduceOp::max, ReduceType::bf16}, 0xffff, 0xff80, 0xff80},
      {{ReduceOp::inc, ReduceType::u32}, 7, 7, 0},
      {{ReduceOp::inc, ReduceType::u32}, 6, 7, 7},
      {{ReduceOp::dec, ReduceType::u32}, 0, 7, 7},
      {{ReduceOp::dec, ReduceType::u32}, 8, 7, 7},
      {{ReduceOp::dec, ReduceType::u32}, 7, 7, 6},
      {{ReduceOp::min, ReduceType::s32}, 0x80000000, 1, 0x80000000},
      {{ReduceOp::min, ReduceType::u32}, 0x80000000, 1, 1},
      {{ReduceOp::max, ReduceType::s64}, 0x8000000000000000, 1, 1},
      {{ReduceOp::add, ReduceType::s32}, 0x7fffffff, 1, 0x80000000},
  };
  for (const auto& [what, old, operand, result] : rows)
    EXPECT_EQ(reduced(what, old, operand), result) << std::hex << old << " " << operand;
}

TEST(Reduction, EveryOrderOfSeveralIsAllowedAndNothingElse) {
  // 1 + 2^-24 + 2^-24 in f32: each small one is lost, in either order.
  const std::vector<uint64_t> small{0x33800000, 0x33800000};
  EXPECT_EQ(reduced_in_any_order(add_f32, 0x3f800000, small), (std::vector<uint64_t>{0x3f800000}));
  const std::vector<uint64_t> cancels{0x3f800000, 0xbf800000};
  EXPECT_EQ(reduced_in_any_order(add_f32, 0x33800000, cancels), (std::vector<uint64_t>{0, 0x33800000}));
  const std::vector<uint64_t> limits{1, 5};
  EXPECT_EQ(reduced_in_any_order({ReduceOp::inc, ReduceType::u32}, 1, limits), (std::vector<uint64_t>{0, 1}));
  const std::vector<uint64_t> three{3, 5, 9};
  EXPECT_EQ(reduced_in_any_order({ReduceOp::bit_xor, ReduceType::b32}, 1, three),
            (std::vector<uint64_t>{1 ^ 3 ^ 5 ^ 9}));
}

}  // namespace
}  // namespace assay::model
