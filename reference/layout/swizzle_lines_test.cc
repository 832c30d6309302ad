// SPDX-License-Identifier: Apache-2.0
#include "reference/layout/swizzle_lines.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

namespace assay::model {
namespace {

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
