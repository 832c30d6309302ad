// SPDX-License-Identifier: Apache-2.0
#include "reference/model/pipeline/gemm.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

#include "reference/model/case_json.h"
#include "reference/spec/questions.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

constexpr uint16_t one = 0x3c00, two = 0x4000, f16_4096 = 0x6c00, minus_zero = 0x8000;

/// A product of f16 with its bytes.
struct Product {
  explicit Product(uint32_t m, uint32_t n, uint32_t k) {
    c.m = m;
    c.n = n;
    c.k = k;
    pitch = pitches_of(c);
    // What no element holds is a NaN: whoever reads it shows.
    a.assign(m * pitch.a, std::byte{0xff});
    b.assign(n * pitch.b, std::byte{0xff});
    for (uint32_t i = 0; i < k; ++i) {
      for (uint32_t row = 0; row < m; ++row) set(a, pitch.a, row, i, 0);
      for (uint32_t row = 0; row < n; ++row) set(b, pitch.b, row, i, 0);
    }
  }
  static void set(std::vector<std::byte>& matrix, uint32_t row_pitch, uint32_t row, uint32_t k,
                  uint16_t code) {
    std::memcpy(&matrix[row * row_pitch + 2 * k], &code, 2);
  }
  void set_a(uint32_t row, uint32_t k, uint16_t code) { set(a, pitch.a, row, k, code); }
  void set_b(uint32_t row, uint32_t k, uint16_t code) { set(b, pitch.b, row, k, code); }
  void predict() { predict({"NUM-AMB-03", "always_plus"}); }
  void predict(spec::NamedReading zero_sign) {
    d.assign(c.m * pitch.d, std::byte{0xcd});
    defined.assign(d.size(), std::byte{0});
    spec::Readings readings(spec::Arch::sm_100);
    readings.choose(zero_sign);
    rules = predict_gemm(c, readings, {a, b, a_scales, b_scales}, d, defined);
  }
  uint32_t word(uint32_t row, uint32_t column) const {
    uint32_t found;
    std::memcpy(&found, &d[row * pitch.d + 4 * column], 4);
    return found;
  }
  float value(uint32_t row, uint32_t column) const { return std::bit_cast<float>(word(row, column)); }

  GemmCase c;
  GemmPitches pitch{};
  std::vector<std::byte> a, b, a_scales, b_scales, d, defined;
  spec::RuleSet rules;
};

TEST(Gemm, RowsTimesRowsAndNothingBehindK) {
  Product p(2, 3, 5);
  p.set_a(0, 0, one);
  p.set_a(1, 4, two);
  p.set_b(0, 0, two);
  p.set_b(2, 4, two);
  p.predict();
  const float want[2][3] = {{2, 0, 0}, {0, 0, 4}};
  for (uint32_t row = 0; row < 2; ++row)
    for (uint32_t column = 0; column < 3; ++column) EXPECT_EQ(p.value(row, column), want[row][column]);
  EXPECT_TRUE(p.rules.any());
}

TEST(Gemm, BytesBehindTheLastColumnAreOpenWithinItsSixteen) {
  Product p(2, 3, 5);
  p.c.d_gap = 1;
  p.pitch = pitches_of(p.c);
  ASSERT_EQ(p.pitch.d, 32u);
  p.predict();
  for (uint32_t i = 0; i < 64; ++i) {
    EXPECT_EQ(p.defined[i], i % 32 >= 12 && i % 32 < 16 ? std::byte{0} : std::byte{0xff}) << i;
    if (i % 32 >= 12) {
      EXPECT_EQ(p.d[i], std::byte{0xcd}) << i;
    }
  }
}

TEST(Gemm, EachInstructionRoundsWhatTheOneBeforeLeft) {
  // 2^24 + 1 is no f32. Two ones of different instructions are lost one by one; of one instruction they stay.
  Product p(2, 1, 48);
  p.set_a(0, 0, f16_4096), p.set_a(1, 0, f16_4096);
  p.set_b(0, 0, f16_4096);
  for (const uint32_t k : {16u, 17u, 32u}) p.set_b(0, k, one);
  p.set_a(0, 16, one), p.set_a(0, 32, one);
  p.set_a(1, 16, one), p.set_a(1, 17, one);
  p.predict();
  EXPECT_EQ(p.value(0, 0), 16777216.0f);
  EXPECT_EQ(p.value(1, 0), 16777218.0f);
}

TEST(Gemm, AReadingOfZeroSignsIsFollowed) {
  Product p(1, 1, 64);
  for (uint32_t k = 0; k < 64; ++k) {
    p.set_a(0, k, minus_zero);
    p.set_b(0, k, one);
  }
  p.predict();
  EXPECT_EQ(p.word(0, 0), 0u);
  // The first instruction adds +0, since it has no D: even a rival gives plus.
  p.predict({"NUM-AMB-03", "minus_when_all_are"});
  EXPECT_EQ(p.word(0, 0), 0u);
}

/// nvf4 of ones, with scales of one but where a test sets them.
Product scaled_ones(uint32_t m, uint32_t n, uint32_t k) {
  Product p(1, 1, 16);
  p.c.type = 8;
  p.c.m = m, p.c.n = n, p.c.k = k;
  p.pitch = pitches_of(p.c);
  p.a.assign(m * p.pitch.a, std::byte{0x22});
  p.b.assign(n * p.pitch.b, std::byte{0x22});
  p.a_scales.assign((m + 127) / 128 * scale_pitch_of(p.c), std::byte{0x38});
  p.b_scales.assign((n + 127) / 128 * scale_pitch_of(p.c), std::byte{0x38});
  return p;
}

TEST(Gemm, ScalesLieInTilesOf128RowsByFour) {
  Product p = scaled_ones(130, 70, 320);  // 20 scales a row: five tiles
  EXPECT_EQ(scale_pitch_of(p.c), 5u * 512);
  p.a_scales[7 * 512 + 1 * 16 + 3] = std::byte{0x40};  // rows 128 and up, scales 8 to 11: row 129, scale 11
  p.b_scales[4 * 512 + 5 * 16 + 2 * 4 + 0] = std::byte{0x30};  // column 69, scale 16
  p.predict();
  EXPECT_EQ(p.value(0, 0), 320.0f);
  EXPECT_EQ(p.value(129, 0), 336.0f);
  EXPECT_EQ(p.value(128, 0), 320.0f);
  EXPECT_EQ(p.value(1, 69), 312.0f);
  EXPECT_EQ(p.value(129, 69), 328.0f);
}

TEST(Gemm, ScalesBehindKCountWithinTheirTile) {
  Product p = scaled_ones(2, 2, 18);
  p.a_scales[1 * 16 + 3] = std::byte{0x7f};  // NaN times zeros
  p.predict();
  EXPECT_EQ(p.value(0, 0), 18.0f);
  EXPECT_EQ(p.word(1, 0), 0x7fffffffu);
}

TEST(Gemm, KeptElementsMeetWhatTheMetadataSay) {
  Product p(130, 1, 256);
  p.c.type = 9;
  p.pitch = pitches_of(p.c);
  EXPECT_EQ(p.pitch.a, 256u);
  p.a.assign(130 * p.pitch.a, std::byte{0});
  // Elements 0 and 1 of every four, but for one chunk.
  p.a_scales.assign(2 * scale_pitch_of(p.c), std::byte{0x44});
  EXPECT_EQ(scale_pitch_of(p.c), 2u * 2048);
  for (uint32_t row = 0; row < 130; ++row)
    for (uint32_t k = 0; k < 128; ++k) p.set_a(row, k, one);
  p.set_b(0, 4 * 45 + 0, one), p.set_b(0, 4 * 45 + 3, two);
  // Row 129, chunk 45 of 64: instruction 5 has chunks 40 to 47, those of columns 1 of the second tile. Of its
  // 32 bits 20 to 23 lie in lane 1 + 8, bits 4 to 7.
  p.a_scales[scale_pitch_of(p.c) + 2048 + 9 * 16 + 4] = std::byte{0xe4};
  p.predict();
  EXPECT_EQ(p.value(0, 0), 1.0f);
  EXPECT_EQ(p.value(128, 0), 1.0f);
  EXPECT_EQ(p.value(129, 0), 2.0f);
}

TEST(Gemm, SumsJoinWhatIsThere) {
  Product p(2, 3, 5);
  p.c.reduces = true;
  p.set_a(0, 0, one), p.set_a(1, 4, two);
  p.set_b(0, 0, two), p.set_b(2, 4, two);
  p.d.assign(p.c.m * p.pitch.d, std::byte{0});
  const float c[2][3] = {{16777216.0f, -2, 0.5f}, {3, 1e30f, -4}};
  for (uint32_t row = 0; row < 2; ++row) std::memcpy(&p.d[row * p.pitch.d], c[row], 12);
  p.defined.assign(p.d.size(), std::byte{0});
  p.rules = predict_gemm(p.c, spec::Readings(spec::Arch::sm_100), {p.a, p.b, p.a_scales, p.b_scales}, p.d,
                         p.defined);
  const float want[2][3] = {{16777218.0f, -2, 0.5f}, {3, 1e30f, 0}};
  for (uint32_t row = 0; row < 2; ++row)
    for (uint32_t column = 0; column < 3; ++column) EXPECT_EQ(p.value(row, column), want[row][column]);
  EXPECT_TRUE(p.rules.test(spec::rule("TILE-R56")));
}

TEST(Gemm, SixBitsLieSideBySideAndCountBehindK) {
  Product p(1, 1, 3);
  p.c.type = 2, p.c.a_type = 3, p.c.b_type = 0;  // e2m3 by e4m3
  p.pitch = pitches_of(p.c);
  EXPECT_EQ(p.pitch.a, 96u);
  EXPECT_EQ(p.pitch.b, 16u);
  p.a.assign(p.pitch.a, std::byte{0});
  // 1, -1.5 and 7.5: codes 0x08, 0x2c and 0x1f, the first in the lowest bits.
  const uint32_t packed = 0x08 | 0x2c << 6 | 0x1f << 12 | 0x1f << 18;
  std::memcpy(p.a.data(), &packed, 3);
  p.b.assign(p.pitch.b, std::byte{0x38});  // 1
  p.predict();
  EXPECT_EQ(p.value(0, 0), 7.0f) << "nothing of B behind k";
  p.c.b_type = 5, p.c.k = 128;
  p.pitch = pitches_of(p.c);
  EXPECT_EQ(p.pitch.b, 64u);
  p.b.assign(p.pitch.b, std::byte{0x22});
  p.predict();
  EXPECT_EQ(p.value(0, 0), 14.5f);
}

TEST(Gemm, JsonOfWhatThePipelineLacksIsRefused) {
  GemmCase c;
  c.cta_group = 2, c.tile_n = 256, c.asking = 3;
  c.launch_control = false;
  EXPECT_THROW(case_from_json<GemmCase>(to_json(c)), std::runtime_error) << "nobody asks";
  c.asking = 0, c.cta_group = 1;
  EXPECT_THROW(case_from_json<GemmCase>(to_json(c)), std::runtime_error);
  nlohmann::json json = to_json(GemmCase{});
  json["k"] = 0;
  EXPECT_THROW(case_from_json<GemmCase>(json), std::runtime_error);
  json.erase("k");
  json["tile"] = 1;
  EXPECT_THROW(case_from_json<GemmCase>(json), std::runtime_error);
}

}  // namespace
}  // namespace assay::model
