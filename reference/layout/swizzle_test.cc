// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/swizzle.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::model {
namespace {

// The 16-byte piece found at position 0..7 of each 128-byte line, copied by hand from the pattern tables of
// the PTX document (5.5.7); never from our tables.
struct Golden {
  const char* swizzle;
  const char* lines[8];
};
constexpr Golden golden[] = {
    {"none",
     {"01234567", "01234567", "01234567", "01234567", "01234567", "01234567", "01234567", "01234567"}},
    {"32B", {"01234567", "10325476", "01234567", "10325476", "01234567", "10325476", "01234567", "10325476"}},
    {"96B", {"01234567", "10325476", "01234567", "10325476", "01234567", "10325476", "01234567", "10325476"}},
    {"64B", {"01234567", "10325476", "23016745", "32107654", "01234567", "10325476", "23016745", "32107654"}},
    {"128B",
     {"01234567", "10325476", "23016745", "32107654", "45670123", "54761032", "67452301", "76543210"}},
    {"128B_atom32B",
     {"01234567", "23016745", "45670123", "67452301", "01234567", "23016745", "45670123", "67452301"}},
    {"128B_atom64B",
     {"01234567", "45670123", "01234567", "45670123", "01234567", "45670123", "01234567", "45670123"}},
};

TEST(Swizzle, PatternsAreThoseOfTheDocument) {
  for (const Golden& row : golden) {
    const spec::Swizzle* swizzle = spec::find_swizzle(row.swizzle);
    ASSERT_NE(swizzle, nullptr) << row.swizzle;
    const SwizzlePattern pattern = pattern_of(*swizzle);
    for (uint32_t base : {0u, 1024u, 4096u})
      for (uint32_t line = 0; line < 8; ++line) {
        std::string found;
        for (uint32_t position = 0; position < 8; ++position)
          found += static_cast<char>('0' + pattern.place(base + line * 128 + position * 16) % 128 / 16);
        EXPECT_EQ(found, row.lines[line]) << row.swizzle << " line " << line;
      }
  }
}

// The columns line_mask, line_shift and flip_mask of the table say the same thing as the meaning.
TEST(Swizzle, TableColumnsAgreeWithTheMeaning) {
  for (const spec::Swizzle& swizzle : spec::swizzles) {
    const SwizzlePattern pattern = pattern_of(swizzle);
    for (uint32_t a = 0; a < 8192; ++a) {
      const uint32_t line = a >> 7;
      ASSERT_EQ(pattern.place(a),
                a ^ (line & swizzle.line_mask) << swizzle.line_shift ^ (line & swizzle.flip_mask) << 3)
          << swizzle.name << " " << a;
    }
  }
}

TEST(Swizzle, IsItsOwnInverseAndStaysInItsBlock) {
  for (const spec::Swizzle& swizzle : spec::swizzles)
    for (const bool even : {false, true}) {
      const SwizzlePattern pattern = pattern_of(swizzle, even);
      for (uint32_t a = 0; a < 8192; ++a) {
        ASSERT_EQ(pattern.place(pattern.place(a)), a) << swizzle.name;
        ASSERT_EQ(pattern.place(a) / pattern.block_bytes, a / pattern.block_bytes) << swizzle.name;
        ASSERT_EQ(pattern.place(a + swizzle.period_bytes), pattern.place(a) + swizzle.period_bytes)
            << swizzle.name;
      }
    }
}

TEST(Swizzle, TheRivalReadingOfTheFlipExchangesTheOtherLines) {
  const spec::Swizzle& swizzle = *spec::find_swizzle("128B_atom32B_flip8B");
  EXPECT_EQ(pattern_of(swizzle).place(0), 0u);
  EXPECT_EQ(pattern_of(swizzle, true).place(0), 8u);
  EXPECT_EQ(pattern_of(swizzle).place(128), 128u + 32 + 8);
  EXPECT_EQ(pattern_of(swizzle, true).place(128), 128u + 32);
}

}  // namespace
}  // namespace assay::model
