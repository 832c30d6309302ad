// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/canonical.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

namespace assay::layout {
namespace {

using spec::find_smem_swizzle;
using spec::SmemMatrix;

// Anchors: worked out by hand from the pictures of the swizzle modes, 16-byte cells 0 to 7 of a 128-byte
// line.
TEST(Canonical, KMajor128BPutsCellCOfRowRAtCellCXorR) {
  const SmemMatrix matrix{0x2000, 16, 1024, 0, false, find_smem_swizzle("128B")};
  for (uint32_t row = 0; row < 24; ++row)
    for (uint32_t cell = 0; cell < 8; ++cell) {
      const SmemPlace place = smem_place(matrix, {}, row, cell * 8 + 3);
      EXPECT_EQ(place.byte, 0x2000 + row / 8 * 1024 + row % 8 * 128 + (cell ^ row % 8) * 16 + 6);
    }
}
TEST(Canonical, NoSwizzleKMajorIsCoreMatricesOf128Bytes) {
  const SmemMatrix matrix{0, 2048, 128, 0, false, find_smem_swizzle("none")};
  EXPECT_EQ(smem_place(matrix, {}, 0, 0).byte, 0u);
  EXPECT_EQ(smem_place(matrix, {}, 1, 0).byte, 16u);
  EXPECT_EQ(smem_place(matrix, {}, 7, 7).byte, 7 * 16 + 14u);
  EXPECT_EQ(smem_place(matrix, {}, 8, 0).byte, 128u);
  EXPECT_EQ(smem_place(matrix, {}, 0, 8).byte, 2048u);
  EXPECT_EQ(smem_place(matrix, {}, 127, 15).byte, 15 * 128 + 7 * 16 + 2048 + 14u);
}
TEST(Canonical, MnMajor64BGoldenElements) {
  const SmemMatrix matrix{0x400, 0x1000, 512, 0, false, find_smem_swizzle("64B")};
  const SmemOperand operand{16, Packing::plain, true};
  EXPECT_EQ(smem_place(matrix, operand, 0, 0).byte, 0x400u);
  EXPECT_EQ(smem_place(matrix, operand, 1, 0).byte, 0x402u);
  EXPECT_EQ(smem_place(matrix, operand, 0, 1).byte, 0x440u);
  EXPECT_EQ(smem_place(matrix, operand, 0, 2).byte, 0x480u ^ 0x10)
      << "second 128-byte line: cells change in pairs";
  EXPECT_EQ(smem_place(matrix, operand, 32, 0).byte, 0x1400u);
  EXPECT_EQ(smem_place(matrix, operand, 0, 8).byte, 0x600u);
}
TEST(Canonical, TheFourthModeMovesPairsOfCellsWithPeriodFour) {
  const SmemMatrix matrix{0, 512, 2048, 0, false, find_smem_swizzle("128B_atom32B")};
  const SmemOperand operand{32, Packing::plain, true};
  EXPECT_EQ(smem_place(matrix, operand, 0, 0).byte, 0u);
  EXPECT_EQ(smem_place(matrix, operand, 4, 0).byte, 16u);
  EXPECT_EQ(smem_place(matrix, operand, 0, 1).byte, 128 + 32u);
  EXPECT_EQ(smem_place(matrix, operand, 4, 1).byte, 128 + 48u);
  EXPECT_EQ(smem_place(matrix, operand, 8, 1).byte, 128u);
  EXPECT_EQ(smem_place(matrix, operand, 0, 3).byte, 384 + 96u);
  EXPECT_EQ(smem_place(matrix, operand, 0, 4).byte, 2048u);
  EXPECT_EQ(smem_place(matrix, operand, 32, 0).byte, 512u);
}
TEST(Canonical, PaddedElementsLieInTheFirstBytesOfTheirGroup) {
  const SmemMatrix matrix{0, 2048, 128, 0, false, find_smem_swizzle("none")};
  const SmemOperand four{4, Packing::padded_4_bit, false}, six{6, Packing::padded_6_bit, false};
  EXPECT_EQ(smem_place(matrix, four, 0, 15).byte, 7u);
  EXPECT_EQ(smem_place(matrix, four, 0, 15).bit, 4);
  EXPECT_EQ(smem_place(matrix, four, 0, 16).byte, 2048u);
  EXPECT_EQ(smem_place(matrix, six, 0, 1).byte, 0u);
  EXPECT_EQ(smem_place(matrix, six, 0, 1).bit, 6);
  EXPECT_EQ(smem_place(matrix, six, 0, 15).byte, 11u);
  EXPECT_EQ(smem_place(matrix, six, 0, 15).bit, 2);
  EXPECT_EQ(smem_place(matrix, six, 1, 0).byte, 16u);
  const SmemOperand packed{4, Packing::plain, false};
  EXPECT_EQ(smem_place(matrix, packed, 0, 31).byte, 15u);
  EXPECT_EQ(smem_place(matrix, packed, 0, 32).byte, 2048u);
}
TEST(Canonical, AbsoluteLeadingAddressTakesOverAtTheEndOfTheRow) {
  const SmemMatrix matrix{0x4060, 0x8000, 1024, 0, true, find_smem_swizzle("128B")};
  const SmemOperand operand{4, Packing::plain, false};
  EXPECT_EQ(smem_place(matrix, operand, 0, 0).byte, 0x4060u);
  EXPECT_EQ(smem_place(matrix, operand, 0, 63).byte, 0x407fu);
  EXPECT_EQ(smem_place(matrix, operand, 0, 64).byte, 0x8000u);
  EXPECT_EQ(smem_place(matrix, operand, 9, 64).byte, 0x8000u + 1024 + (128 ^ 16));
}

// As measured on an H200: 128B with base 3, the line at 3 * 0x80 of each 0x400 is the one in order.
TEST(Canonical, TheBaseOffsetIsSubtracted) {
  const SmemMatrix matrix{0x400, 16, 1024, 3, false, find_smem_swizzle("128B")};
  EXPECT_EQ(smem_place(matrix, {}, 3, 8).byte, 0x400 + 3 * 128 + 16u);
  EXPECT_EQ(smem_place(matrix, {}, 0, 0).byte, 0x400 + 16 * 5u);
  EXPECT_EQ(smem_place(matrix, {}, 4, 0).byte, 0x400 + 4 * 128 + 16u);
  SmemReadings readings;
  readings.base_offset = SmemReadings::BaseOffset::exclusive_or;
  EXPECT_EQ(smem_place(matrix, {}, 4, 0, readings).byte, 0x400 + 4 * 128 + 16 * 7u);
  readings.base_offset = SmemReadings::BaseOffset::added;
  EXPECT_EQ(smem_place(matrix, {}, 0, 0, readings).byte, 0x400 + 16 * 3u);
}

// A packed tile holds every element once: no two places are the same, and together they fill the tile.
TEST(Canonical, APackedTileIsABijection) {
  for (const spec::SmemSwizzle& swizzle : spec::smem_swizzles)
    for (const bool mn_major : {false, true})
      for (const int bits : {4, 8, 16, 32}) {
        if (mn_major && (bits == 4 || (bits == 32) != (swizzle.name == "128B_atom32B"))) continue;
        if (!mn_major && swizzle.name == "128B_atom32B") continue;
        // Rows of one swizzle width along the contiguous side, 16 lines along the other.
        const uint32_t along = swizzle.width * 8 / static_cast<uint32_t>(bits);
        const uint32_t step = swizzle.lines * swizzle.width;
        SmemMatrix matrix{0x8000, 16, step, 0, false, &swizzle};
        if (swizzle.width == 16)
          matrix.leading_offset = mn_major ? step : 4096, matrix.stride_offset = mn_major ? 4096 : step;
        std::set<std::pair<uint32_t, int>> places;
        for (uint32_t line = 0; line < 16; ++line)
          for (uint32_t i = 0; i < along; ++i) {
            const SmemPlace place = mn_major ? smem_place(matrix, {bits, Packing::plain, true}, i, line)
                                             : smem_place(matrix, {bits, Packing::plain, false}, line, i);
            EXPECT_TRUE(places.insert({place.byte, place.bit}).second) << swizzle.name << line << " " << i;
            EXPECT_GE(place.byte, 0x8000u);
            EXPECT_LT(place.byte, 0x8000u + 16 * swizzle.width);
          }
        EXPECT_EQ(places.size(), 16u * along);
      }
}

RC_GTEST_PROP(CanonicalProperty, DeadStridesAreNotLookedAt, (uint32_t random)) {
  const spec::SmemSwizzle& swizzle = spec::smem_swizzles[*rc::gen::inRange<size_t>(0, 4)];
  const uint32_t start = random % 0x1000 * 16, stride = random / 7 % 0x400 * 16;
  SmemMatrix one{start, 16, stride, 0, false, &swizzle}, other = one;
  other.leading_offset = random / 3 % 0x4000 * 16;
  // K-major: 16 bytes of a row never need the leading offset; 8 rows never need the stride offset.
  const uint32_t row = *rc::gen::inRange<uint32_t>(0, 64), k = *rc::gen::inRange<uint32_t>(0, 8);
  RC_ASSERT(smem_place(one, {}, row, k).byte == smem_place(other, {}, row, k).byte);
  other.stride_offset = random / 11 % 0x4000 * 16;
  RC_ASSERT(smem_place(one, {}, row % 8, k).byte == smem_place(other, {}, row % 8, k).byte);
}

}  // namespace
}  // namespace assay::layout
