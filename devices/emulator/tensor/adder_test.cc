// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tensor/adder.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

namespace assay::emulator {
namespace {

using spec::Format;
using spec::ValueClass;

/// Numbers that are the same everywhere.
struct Random {
  uint64_t state;
  uint32_t next() {
    state += 0x9e3779b97f4a7c15;
    uint64_t z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return static_cast<uint32_t>((z ^ z >> 31) >> 16);
  }
  uint32_t below(uint32_t n) { return next() % n; }
};

struct Mix {
  Adder adder;
  Target target;
  const char *a, *b, *d;
  uint32_t k;
};
const Target hopper = Target::sm_90, blackwell = Target::sm_100;

std::vector<Mix> mixes() {
  std::vector<Mix> made;
  const auto each = [&](Adder adder, Target target, std::vector<const char*> types, const char* d,
                        std::vector<uint32_t> ks, bool mixed) {
    for (const char* a : types)
      for (const char* b : types)
        for (const uint32_t k : ks)
          if (mixed || a == b) made.push_back({adder, target, a, b, d, k});
  };
  for (const char* d : {"f32", "f16"}) {
    each(Adder::wgmma, hopper, {"e4m3", "e5m2"}, d, {32}, true);
    each(Adder::mma_sync, hopper, {"e4m3", "e5m2"}, d, {16, 32}, true);
    each(Adder::tcgen05, blackwell, {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"}, d, {32}, true);
    each(Adder::mma_sync, hopper, {"f16"}, d, {8, 16}, false);
    each(Adder::wgmma, hopper, {"f16"}, d, {16}, false);
  }
  each(Adder::mma_sync, hopper, {"bf16"}, "f32", {8, 16}, false);
  each(Adder::mma_sync, hopper, {"tf32"}, "f32", {4, 8}, false);
  each(Adder::wgmma, hopper, {"bf16"}, "f32", {16}, false);
  each(Adder::wgmma, hopper, {"tf32"}, "f32", {8}, false);
  each(Adder::tcgen05, blackwell, {"f16", "bf16"}, "f32", {16}, true);
  return made;
}

/// Codes of one style: any bits; exponents near each other; tiny; huge; few live.
std::vector<uint32_t> codes(const Format& format, size_t count, uint32_t style, Random& random) {
  std::vector<uint32_t> made(count);
  const auto top = static_cast<uint32_t>(format.exponent_mask());
  for (uint32_t& code : made) {
    const uint32_t bits = random.next();
    uint32_t exponent = bits >> 20 & top;
    if (style == 1) exponent = std::min(top - 1, (top / 2) + bits % 4);
    if (style == 2) exponent = bits % 3;
    if (style == 3) exponent = top - 1 - bits % std::min(3u, top);
    if (style == 4) exponent = std::min(top, top / 2 - std::min(top / 2, 12u) + bits % 25);
    code = static_cast<uint32_t>(
               format.code((random.next() & 1) != 0, exponent, random.next() & format.mantissa_mask())) |
           (random.next() & ((1u << format.ignored_bits) - 1));
    if (style == 5 && random.below(4) != 0) code &= static_cast<uint32_t>(format.sign_bit());
    if (style == 6 && random.below(24) == 0)
      code = static_cast<uint32_t>(format.code(bits & 1, top, bits >> 9 & 1));
  }
  return made;
}

// The fast summation gives what the plain one gives, for every mix, with NaN, infinities, subnormals, sums
// that cancel and results at both ends among the samples.
TEST(Adder, FastAgreesWithPlain) {
  constexpr uint32_t m = 7, n = 11;
  std::map<std::string, std::map<ValueClass, size_t>> seen;
  Random random{2026};
  for (const Mix& mix : mixes())
    for (uint32_t style = 0; style < 14; ++style) {
      const Format &a = *spec::find_format(mix.a), &b = *spec::find_format(mix.b),
                   &d = *spec::find_format(mix.d);
      const auto a_codes = codes(a, m * mix.k, style % 7, random),
                 b_codes = codes(b, n * mix.k, style % 7, random);
      auto plain = codes(d, m * n, random.below(7), random);
      if (style >= 7)  // C, cancelled by what the products alone give
        sum_block(
            {&a, &b, &d, m, n, mix.k, true, false, false, 0, a_codes.data(), b_codes.data(), plain.data()},
            adder_rules({mix.adder, mix.target, &a, &b, &d, m, n, mix.k}, {}));
      auto fast = plain;
      TileProduct product{mix.adder, mix.target, &a, &b, &d, m, n, mix.k};
      AdderRules rules = adder_rules(product, {});
      ASSERT_TRUE(rules.is_regular());
      Block block{&a,
                  &b,
                  &d,
                  m,
                  n,
                  mix.k,
                  (style & 1) != 0,
                  (style & 2) != 0,
                  style != 4,
                  0,
                  a_codes.data(),
                  b_codes.data(),
                  plain.data()};
      if (mix.adder == Adder::tcgen05 && style % 3 == 1)
        block.scale_input_d = static_cast<int>(random.below(16));
      sum_block(block, rules);
      block.d = fast.data();
      sum_block_fast(block, rules);
      for (uint32_t i = 0; i < m * n; ++i) {
        ASSERT_EQ(fast[i], plain[i]) << mix.a << " " << mix.b << " " << mix.d << " k " << mix.k << " style "
                                     << style << " element " << i;
        ++seen[mix.d][classify_float(d, plain[i])];
      }
    }
  for (const char* d : {"f32", "f16"})
    for (const ValueClass kind :
         {ValueClass::zero, ValueClass::subnormal, ValueClass::normal, ValueClass::infinity, ValueClass::nan})
      EXPECT_GT(seen[d][kind], 100u) << d << " " << static_cast<int>(kind);
}

// Eight columns at once: from the last normal number to below the smallest that f32 has, of both signs.
TEST(Adder, FastCutsSubnormalResultsWhereTheirBitsEnd) {
  constexpr uint32_t m = 2, n = 32;
  for (const Mix& mix : {Mix{Adder::tcgen05, blackwell, "bf16", "bf16", "f32", 16},
                         Mix{Adder::wgmma, hopper, "tf32", "tf32", "f32", 8}}) {
    const Format &format = *spec::find_format(mix.a), &d = *spec::find_format("f32");
    const auto power = [&](bool negative, int exponent) {
      return static_cast<uint32_t>(
          format.code(negative, static_cast<uint32_t>(exponent + format.bias), format.mantissa_mask()));
    };
    std::vector<uint32_t> a(m * mix.k), b(n * mix.k), plain(m * n);
    for (uint32_t row = 0; row < m; ++row) a[row * mix.k] = a[row * mix.k + 1] = power(row == 1, -70);
    for (uint32_t column = 0; column < n; ++column) {
      b[column * mix.k] = power(false, -54 - static_cast<int>(column));
      b[column * mix.k + 1] = power(column % 2 == 1, -58 - static_cast<int>(column));
    }
    TileProduct product{mix.adder, mix.target, &format, &format, &d, m, n, mix.k};
    const AdderRules rules = adder_rules(product, {});
    Block block{&format, &format, &d, m, n, mix.k, false, false, true, 0, a.data(), b.data(), plain.data()};
    auto fast = plain;
    sum_block(block, rules);
    block.d = fast.data();
    sum_block_fast(block, rules);
    EXPECT_EQ(fast, plain) << mix.a;
    std::map<ValueClass, size_t> seen;
    for (const uint32_t code : plain) ++seen[classify_float(d, code)];
    for (const ValueClass kind : {ValueClass::zero, ValueClass::subnormal, ValueClass::normal})
      EXPECT_GT(seen[kind], 0u) << mix.a << " " << static_cast<int>(kind);
  }
}

// Rows of a sparse A at once, each with places of B of its own, are the rows one by one.
TEST(Adder, RowsThatMeetPlacesOfBAreRowsByThemselves) {
  constexpr uint32_t m = 7, n = 11;
  std::map<ValueClass, size_t> seen;
  Random random{2027};
  for (const Mix& mix : mixes())
    for (uint32_t style = 0; style < 7; ++style) {
      if (mix.adder != Adder::tcgen05 || mix.k > 32) continue;
      const Format &a = *spec::find_format(mix.a), &b = *spec::find_format(mix.b),
                   &d = *spec::find_format(mix.d);
      const uint32_t b_k = 2 * mix.k;
      const auto a_codes = codes(a, m * mix.k, style, random), b_codes = codes(b, n * b_k, style, random);
      std::vector<uint16_t> met(size_t{m} * mix.k);
      for (uint16_t& place : met) place = static_cast<uint16_t>(random.below(b_k));
      auto rows = codes(d, m * n, random.below(7), random);
      auto together = rows;
      for (uint32_t row = 0; row < m; ++row) {
        std::vector<uint32_t> of_row(size_t{n} * mix.k);
        for (uint32_t column = 0; column < n; ++column)
          for (uint32_t i = 0; i < mix.k; ++i)
            of_row[column * mix.k + i] = b_codes[column * b_k + met[row * mix.k + i]];
        TileProduct one{mix.adder, mix.target, &a, &b, &d, 1, n, mix.k};
        one.a = std::span(a_codes).subspan(row * mix.k, mix.k), one.b = of_row;
        one.d = std::span(rows).subspan(row * n, n);
        multiply_tile(one, {});
      }
      TileProduct all{mix.adder, mix.target, &a, &b, &d, m, n, mix.k};
      all.a = a_codes, all.b = b_codes, all.met = met, all.b_k = b_k, all.d = together;
      multiply_tile(all, {});
      for (uint32_t i = 0; i < m * n; ++i) {
        ASSERT_EQ(together[i], rows[i]) << mix.a << " " << mix.b << " " << mix.d << " k " << mix.k
                                        << " style " << style << " element " << i;
        if (d.name == "f32") ++seen[classify_float(d, rows[i])];
      }
    }
  for (const ValueClass kind : {ValueClass::zero, ValueClass::normal, ValueClass::infinity, ValueClass::nan})
    EXPECT_GT(seen[kind], 20u) << static_cast<int>(kind);
}

// With scales that are powers of two as well: one rule beyond those that the fast one has sends the product
// to the other, and changes a C of -0 beside products of 0 alone.
TEST(Adder, FastAgreesWithPlainWhereProductsHaveScales) {
  constexpr uint32_t m = 7, n = 11, k = 32;
  const Format &f32 = spec::format("f32"), &ue8m0 = spec::format("ue8m0");
  std::map<ValueClass, size_t> seen;
  Random random{2027};
  for (const char* a_type : {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"})
    for (const char* b_type : {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"})
      for (uint32_t style = 0; style < 28; ++style) {
        const Format &a = *spec::find_format(a_type), &b = *spec::find_format(b_type);
        const auto a_codes = codes(a, m * k, style % 7, random), b_codes = codes(b, n * k, style % 7, random);
        const uint32_t block = style % 2 == 0 ? 32 : 16;
        std::vector<uint8_t> a_scales(m * k / block), b_scales(n * k / block);
        for (std::vector<uint8_t>* scales : {&a_scales, &b_scales})
          for (uint8_t& scale : *scales) {
            const uint32_t any = random.next() & 0xff;  // 0xff is NaN
            scale = static_cast<uint8_t>(style % 4 < 2 ? 124 + any % 8 : any);
          }
        TileProduct product{Adder::tcgen05, blackwell, &a, &b, &f32, m, n, k};
        product.negate_a = (style & 1) != 0, product.negate_b = (style & 2) != 0;
        product.reads_c = style % 5 != 4;
        product.a = a_codes, product.b = b_codes;
        product.scale_format = &ue8m0, product.scale_block = block;
        product.a_scales = a_scales, product.b_scales = b_scales;
        auto plain = codes(f32, m * n, style % 7, random);
        for (uint32_t& code : plain)
          if (code == 0x8000'0000) code = 0;
        AdderRules rules = adder_rules(product, {});
        auto fast = plain;
        product.d = fast;
        sum_scaled(product, rules);
        rules.keeps_minus_zero = true;
        product.d = plain;
        sum_scaled(product, rules);
        for (uint32_t i = 0; i < m * n; ++i) {
          ASSERT_EQ(fast[i], plain[i]) << a_type << " " << b_type << " style " << style << " element " << i;
          ++seen[classify_float(f32, plain[i])];
        }
      }
  for (const ValueClass kind :
       {ValueClass::zero, ValueClass::subnormal, ValueClass::normal, ValueClass::infinity, ValueClass::nan})
    EXPECT_GT(seen[kind], 100u) << static_cast<int>(kind);
}

uint32_t dot(Adder adder, const char* type, const char* d, std::vector<uint32_t> a, std::vector<uint32_t> b,
             uint32_t c, Settings settings = {}) {
  TileProduct product{adder,
                      settings.target,
                      spec::find_format(type),
                      spec::find_format(type),
                      spec::find_format(d),
                      1,
                      1,
                      static_cast<uint32_t>(a.size())};
  product.a = a, product.b = b, product.d = {&c, 1};
  multiply_tile(product, settings);
  return c;
}

// Worked out on paper from the rules, not by a program.
TEST(Adder, ByHand) {
  std::vector<uint32_t> a(16), b(16);
  // 1 + four terms of 2^-25: kept with 25 bits below 1, they make one unit of the last place.
  a = {0x3c00, 0x0c00, 0x0c00, 0x0c00, 0x0c00}, b = {0x3c00, 0x0800, 0x0800, 0x0800, 0x0800};
  a.resize(16), b.resize(16);
  EXPECT_EQ(dot(Adder::wgmma, "f16", "f32", a, b, 0), 0x3f800001u);
  // The same terms of 2^-26, eight of them, are all cut away.
  a = {0x3c00}, b = {0x3c00};
  a.resize(9, 0x0c00), b.resize(9, 0x0400);
  a.resize(16), b.resize(16);
  EXPECT_EQ(dot(Adder::mma_sync, "f16", "f32", a, b, 0), 0x3f800000u);
  // -0 times anything and C = -0 is +0.
  EXPECT_EQ(dot(Adder::wgmma, "f16", "f32", std::vector<uint32_t>(16, 0x8000), std::vector<uint32_t>(16, 0),
                0x80000000),
            0u);
  // 448 * 448 * 32 in fp8 of Hopper keeps 14 bits: 6422528 = 0x620000, which has 7.
  EXPECT_EQ(
      dot(Adder::wgmma, "e4m3", "f32", std::vector<uint32_t>(32, 0x7e), std::vector<uint32_t>(32, 0x7e), 0),
      0x4ac40000u);
  // An f16 result of 65520 is infinity, of 65519 it is 65504: 255 * 256 + 239 and 240 (1 * x).
  EXPECT_EQ(dot(Adder::mma_sync, "f16", "f16", {0x5bf8, 0x3c00, 0, 0, 0, 0, 0, 0},
                {0x5c00, 0x5b78, 0, 0, 0, 0, 0, 0}, 0),
            0x7bffu);
  EXPECT_EQ(dot(Adder::mma_sync, "f16", "f16", {0x5bf8, 0x3c00, 0, 0, 0, 0, 0, 0},
                {0x5c00, 0x5b80, 0, 0, 0, 0, 0, 0}, 0),
            0x7c00u);
  // Integers: one wrap.
  EXPECT_EQ(dot(Adder::wgmma, "s8", "s32", std::vector<uint32_t>(32, 0x80), std::vector<uint32_t>(32, 0x80),
                0x7fffffff),
            0x8007ffffu);
  EXPECT_EQ(
      dot(Adder::wgmma, "u8", "s32", std::vector<uint32_t>(32, 0xff), std::vector<uint32_t>(32, 0xff), 0),
      0x1fc020u);
}

// Open questions: a device that takes another reading differs where it should.
TEST(Adder, Readings) {
  const auto with = [](const char* id, char letter) {
    Settings settings;
    settings.readings = {{id, letter}};
    return settings;
  };
  // 2^-149 - 2^-158: a unit of 2^-158 sees the second term, and the difference is cut to nothing; one of
  // 2^-157 does not.
  const std::vector<uint32_t> a{0x1f80, 0x9f80}, b{0x1500, 0x1080};
  EXPECT_EQ(dot(Adder::tcgen05, "bf16", "f32", a, b, 0), 0u);
  EXPECT_EQ(dot(Adder::tcgen05, "bf16", "f32", a, b, 0, with("NUM-AMB-01", 'C')), 1u);
  // -2^-150 rounds to zero.
  EXPECT_EQ(dot(Adder::tcgen05, "bf16", "f32", {0x9f80}, {0x1480}, 0), 0u);
  EXPECT_EQ(dot(Adder::tcgen05, "bf16", "f32", {0x9f80}, {0x1480}, 0, with("NUM-AMB-03", 'B')), 0x80000000u);
  EXPECT_EQ(dot(Adder::tcgen05, "bf16", "f32", {0x8000, 0x8000}, {0x3f80, 0x3f80}, 0x80000000,
                with("NUM-AMB-03", 'C')),
            0x80000000u);
  EXPECT_EQ(dot(Adder::tcgen05, "bf16", "f32", {0x8000, 0x8000}, {0x3f80, 0x3f80}, 0x80000000,
                with("NUM-AMB-03", 'B')),
            0u);
  // 0.5 * 0.5 - 0.5 * 0.5 of e2m1 beside C = 2^-26 (probe NP118).
  std::vector<uint32_t> p(32), q(32);
  p[0] = 1, p[1] = 9, q[0] = 1, q[1] = 1;
  EXPECT_EQ(dot(Adder::tcgen05, "e2m1", "f32", p, q, 0x32800000), 0u);
  EXPECT_EQ(dot(Adder::tcgen05, "e2m1", "f32", p, q, 0x32800000, with("NUM-AMB-08", 'B')), 0x32800000u);
  // f16: a tie at 2^-25 with 2^-47 above it (probe NP065).
  const std::vector<uint32_t> h{0x0400, 0x0002, 0, 0, 0, 0, 0, 0}, g{0x1000, 0x0001, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(dot(Adder::tcgen05, "f16", "f16", h, g, 0), 0u);
  EXPECT_EQ(dot(Adder::tcgen05, "f16", "f16", h, g, 0, with("NUM-AMB-02", 'B')), 1u);
}

/// A group of products that are all -0 is -0 itself to the device that asks (NUM-AMB-03, C).
TEST(Adder, GroupsOfMinusZerosAreMinusZero) {
  const Format &e2m1 = spec::format("e2m1"), &f32 = spec::format("f32"), &ue8m0 = spec::format("ue8m0");
  const auto sum_of = [&](uint32_t first_code, char letter) {
    std::vector<uint32_t> a(64, 8), b(64, 1), d{0x80000000};
    a[0] = first_code;
    const std::vector<uint8_t> scales(2, 127);
    TileProduct product{Adder::tcgen05, blackwell, &e2m1, &e2m1, &f32, 1, 1, 64};
    product.a = a, product.b = b, product.d = d;
    product.scale_format = &ue8m0, product.scale_block = 32, product.adds_groups = true;
    product.a_scales = product.b_scales = scales;
    Settings settings;
    settings.readings = {{"NUM-AMB-03", letter}};
    multiply_tile(product, settings);
    return d[0];
  };
  EXPECT_EQ(sum_of(8, 'A'), 0u);
  EXPECT_EQ(sum_of(8, 'C'), 0x80000000u);
  EXPECT_EQ(sum_of(0, 'C'), 0u);
}

}  // namespace
}  // namespace assay::emulator
