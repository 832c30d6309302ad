// SPDX-License-Identifier: Apache-2.0
#include "reference/model/mma/scale.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "reference/model/mma/form.h"
#include "reference/model/mma/mma.h"
#include "reference/spec/rules.h"

namespace assay::model {
namespace {

using spec::Arch;

/// M 128, N 8, K 64 of kind::mxf4nvf4 with scale_vec::4X and ue4m3: the case that people pack by hand first.
Tcgen05MmaCase small_nvf4() {
  Tcgen05MmaCase c;
  c.kind = spec::MmaKind::mxf4nvf4, c.a_type = c.b_type = spec::type_code::packed_e2m1;
  c.m = 128, c.n = 8;
  c.scale_vector = 4, c.scale_type = 0;
  c.a = {.start = 0, .leading_offset = 2048, .stride_offset = 128};
  c.b = {.start = 4096, .leading_offset = 128, .stride_offset = 128};
  c.split = 4096, c.window_bytes = 4096 + 256;
  c.a_scales.column = 8, c.a_scales.columns = 4;
  c.b_scales.column = 12, c.b_scales.columns = 4;
  return c;
}

// Word by word, from the tables of the instruction descriptor (kinds mxf4 and mxf4nvf4) and of the matrix
// descriptor.
TEST(MmaScale, TheSmallestNvf4CaseHasTheWordsOfTheTables) {
  Tcgen05MmaCase c = small_nvf4();
  EXPECT_TRUE(fits_rig(c));
  EXPECT_TRUE(broken_mma_rules(c, spec::Readings(Arch::sm_100)).none());
  const uint32_t idesc = 1u << 7      // A is e2m1
                         | 1u << 10   // B is e2m1
                         | 1u << 17   // N / 8
                         | 0u << 23   // ue4m3
                         | 1u << 27   // M / 128
                         | 0u << 31;  // K 64
  EXPECT_EQ(idesc_word(c), idesc);
  EXPECT_EQ(idesc, 0x08020480u);
  // Start, leading offset and stride in units of 16 bytes, the constant 1 in bit 46, no swizzle.
  EXPECT_EQ(a_word(c), uint64_t{0x80} << 16 | uint64_t{8} << 32 | uint64_t{1} << 46);
  EXPECT_EQ(b_word(c), uint64_t{4096 / 16} | uint64_t{8} << 16 | uint64_t{8} << 32 | uint64_t{1} << 46);
  // The fields that the case leaves at 0.
  c.scale_type = 1, c.negate_a = c.negate_b = true;
  EXPECT_EQ(idesc_word(c), idesc | 1u << 23 | 1u << 13 | 1u << 14);
  c.k96 = true, c.scale_vector = 32, c.a_scales.id = 3, c.b_scales.id = 1;
  EXPECT_EQ(idesc_word(c), idesc | 1u << 23 | 3u << 13 | 1u << 31 | 3u << 29 | 1u << 4);
}

// One number of A and B each, and scales that tell row, column and block.
TEST(MmaScale, EachBlockHasTheScaleOfItsPlace) {
  const Tcgen05MmaCase c = small_nvf4();
  std::vector<std::byte> window(c.window_bytes, std::byte{0});
  std::vector<uint32_t> cells(128 * c.alloc_columns, 0), defined(cells.size());
  constexpr auto one = std::byte{2};  // e2m1: 1.0 in the low nibble, 0 above
  // Row m has its 1 in block m mod 4, column n everywhere: k of block j is 16 j.
  const auto byte = [](uint32_t start, uint32_t rows, uint32_t row, uint32_t k) {
    return start + row / 8 * 128 + row % 8 * 16 + k / 2 % 16 + k / 32 * rows * 16;
  };
  for (uint32_t m = 0; m < 128; ++m) window[byte(0, 128, m, m % 4 * 16)] = one;
  for (uint32_t n = 0; n < 8; ++n)
    for (uint32_t block = 0; block < 4; ++block) window[byte(4096, 8, n, block * 16)] = one;
  // ue4m3: exponent field in bits 6 to 3, so that code 8 e is 2^(e - 7).
  const auto a_scale = [](uint32_t m, uint32_t s) { return 1 + (m / 32 * 4 + m % 32 + s) % 8; };
  const auto b_scale = [](uint32_t n, uint32_t s) { return 1 + (n * 3 + s * 2) % 7; };
  for (uint32_t lane = 0; lane < 128; ++lane) {
    for (uint32_t column = 0; column < 4; ++column)
      for (uint32_t s = 0; s < 4; ++s)
        cells[lane * c.alloc_columns + 8 + column] |= 8 * a_scale(column * 32 + lane % 32, s) << 8 * s;
    for (uint32_t s = 0; s < 4 && lane % 32 < 8; ++s)
      cells[lane * c.alloc_columns + 12] |= 8 * b_scale(lane % 32, s) << 8 * s;
  }
  const Tcgen05MmaPrediction prediction =
      predict_mma(c, spec::Readings(Arch::sm_100), {window, window}, cells, defined);
  ASSERT_EQ(prediction.end, End::done);
  EXPECT_TRUE(prediction.rules.test(spec::rule("SCALE-R04")));
  for (uint32_t m = 0; m < 128; ++m)
    for (uint32_t n = 0; n < 8; ++n) {
      const uint32_t block = m % 4;
      const int exponent = static_cast<int>(a_scale(m, block) + b_scale(n, block)) - 14;
      ASSERT_EQ(cells[m * c.alloc_columns + n], static_cast<uint32_t>(exponent + 127) << 23) << m << ' ' << n;
    }
}

TEST(MmaScale, IdsOfLaterStepsRunOn) {
  Tcgen05MmaCase c = small_nvf4();
  c.scale_vector = 16, c.k96 = true, c.a_scales.id = 2, c.n = 144, c.steps = 3;
  EXPECT_EQ(scale_count(c), 6);
  EXPECT_EQ(scale_start(c, true, 1).id, 0u);  // 2 + 6 scales: two groups of four
  EXPECT_EQ(scale_start(c, true, 1).column, 8u + 8);
  EXPECT_EQ(scale_start(c, false, 1).id, 2u);
  EXPECT_EQ(scale_start(c, false, 1).column, 12u + 8);
  EXPECT_EQ(scale_group(c, false), 8u);
}

// (sm_100) K of 96 and the absolute leading address are there on sm_103 alone.
TEST(MmaScale, K96IsOfSm103) {
  Tcgen05MmaCase c = small_nvf4();
  c.k96 = true, c.n = 16;
  c.a = {
      .start = 32, .leading_offset = 32768, .stride_offset = 1024, .swizzle = 2, .leading_is_absolute = true};
  EXPECT_TRUE(broken_mma_rules(c, spec::Readings(Arch::sm_103)).none());
  const spec::RuleSet broken = broken_mma_rules(c, spec::Readings(Arch::sm_100));
  EXPECT_TRUE(broken.test(spec::rule("IDESC-R17")));
  c.k96 = false, c.n = 8;
  EXPECT_TRUE(broken_mma_rules(c, spec::Readings(Arch::sm_100)).any());
}

}  // namespace
}  // namespace assay::model
