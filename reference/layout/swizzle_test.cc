// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/swizzle.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <string>
#include <vector>

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

std::vector<std::byte> random_bytes(size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(*rc::gen::arbitrary<uint8_t>());
  return bytes;
}

/// Whole lines, whatever registers move them, are the pattern applied byte by byte.
void check_against_bytes(const LineCopies& copies) {
  for (const spec::Swizzle& row : spec::swizzles) {
    const SwizzlePattern swizzle = pattern_of(row);
    if (swizzle.atoms == 1 || swizzle.flips) continue;
    EXPECT_TRUE(rc::check(std::string(row.name), [&] {
      const uint32_t lines = *rc::gen::inRange(0u, 36u), at = 128 * *rc::gen::element(0u, 1u, 5u, 8u, 16u);
      const uint64_t pitch = 128 + 16 * *rc::gen::element(0u, 0u, 1u, 2u);
      // Where the first line lies against the widest registers.
      const uint32_t first = 16 * *rc::gen::inRange(0u, 4u);
      const std::vector<std::byte> outside = random_bytes(first + pitch * lines + 16);
      const std::vector<std::byte> window = random_bytes(at + 128 * lines + 16);
      std::vector<std::byte> placed = window, placed_slowly = window;
      std::vector<std::byte> fetched = outside, fetched_slowly = outside;
      copies.place(swizzle, placed.data(), at, outside.data() + first, pitch, lines);
      copies.fetch(swizzle, fetched.data() + first, pitch, window.data(), at, lines);
      for (uint32_t line = 0; line < lines; ++line)
        for (uint32_t byte = 0; byte < 128; ++byte) {
          const uint32_t inside = swizzle.place(at + 128 * line + byte);
          placed_slowly[inside] = outside[first + pitch * line + byte];
          fetched_slowly[first + pitch * line + byte] = window[inside];
        }
      RC_ASSERT(placed == placed_slowly);
      RC_ASSERT(fetched == fetched_slowly);
    }));
  }
}

TEST(SwizzleLines, WithRegistersOfEveryWidthAreTheBytesOfThePattern) {
  for (const LineCopies& copies : every_line_copies()) check_against_bytes(copies);
}

}  // namespace
}  // namespace assay::model
