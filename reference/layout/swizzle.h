// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/spec/tensor_map.h"

namespace assay::model {

/// What a swizzle means: shared memory is a column of 128-byte lines, each a row of atoms; the atom at
/// position x of line y is kept at position x ^ (y mod atoms), where atoms is how many of them the swizzle
/// span holds (96B: two).
///
///   128B, 16-byte atoms       128B, 32-byte atoms      64B, 16-byte atoms
///   line 0  0 1 2 3 4 5 6 7    0   1   2   3           0 1 2 3 4 5 6 7
///   line 1  1 0 3 2 5 4 7 6    1   0   3   2           1 0 3 2 5 4 7 6
///   line 2  2 3 0 1 6 7 4 5    2   3   0   1           2 3 0 1 6 7 4 5
struct SwizzlePattern {
  uint32_t atom_bytes = 16;
  uint32_t atoms = 1;  ///< power of two; 1: no swizzle
  bool flips = false;  ///< 8-byte halves of 16-byte pieces change places in every other line
  bool flips_even_lines = false;
  uint32_t block_bytes = 1;  ///< aligned blocks of this size are permuted within themselves

  /// How far a whole line's pieces are displaced: the XOR for addresses in the line.
  constexpr uint32_t line_xor(uint32_t address) const {
    const uint32_t line = address / 128;
    uint32_t change = (line & (atoms - 1)) * atom_bytes;
    if (flips && (line % 2 == 1) != flips_even_lines) change ^= 8;
    return change;
  }
  /// Where the byte that belongs at a shared address is kept. Its own inverse.
  constexpr uint32_t place(uint32_t address) const { return address ^ line_xor(address); }
};

/// `flips_even_lines` is the rival reading of TMA-AMB-10.
constexpr SwizzlePattern pattern_of(const spec::Swizzle& swizzle, bool flips_even_lines = false) {
  SwizzlePattern pattern;
  if (swizzle.span_bytes == 0) return pattern;
  pattern.atom_bytes = swizzle.atom_bytes;
  pattern.atoms = swizzle.is_96B ? 2 : swizzle.span_bytes / swizzle.atom_bytes;
  pattern.flips = swizzle.flip_mask != 0;
  pattern.flips_even_lines = flips_even_lines;
  pattern.block_bytes = pattern.atoms * pattern.atom_bytes;
  return pattern;
}

/// Copies of whole 128-byte lines whose pieces of 16 bytes and more change places: the shape that production
/// kernels use. `at`, the offset of the first line in the window, is a multiple of 128; the pattern does not
/// flip; `pitch` is what lies between lines outside of the window, bytes. The ranges do not overlap.
struct LineCopies {
  void (*place)(SwizzlePattern, std::byte* window, uint32_t at, const std::byte* from, uint64_t pitch,
                uint32_t lines);
  void (*fetch)(SwizzlePattern, std::byte* to, uint64_t pitch, const std::byte* window, uint32_t at,
                uint32_t lines);
};

/// With the widest registers of this processor.
LineCopies line_copies();
/// With every width that this processor has, the widest first.
std::vector<LineCopies> every_line_copies();

}  // namespace assay::model
