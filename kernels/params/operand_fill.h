// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/params/arena.h"

namespace assay::params {

/// How memory is filled with operands of a matrix instruction: word i of a region is operand_word(fill, i),
/// the same on host and device. The masks are words, so narrow elements repeat theirs: f16 of exponent 15 is
/// keep 0x83ff83ff, set 0x3c003c00.
struct OperandFill {
  uint64_t seed = 0;
  uint32_t keep = ~0u;  ///< random bits that stay
  uint32_t set = 0;     ///< bits that are 1 afterwards
  /// Every odd element is the even one before it, exclusive-or its part of mirror_flip (a word): sums that
  /// cancel. Bits of an element: 8, 16 or 32; 0: none.
  uint32_t mirror_bits = 0;
  uint32_t mirror_flip = 0;
  /// Afterwards special_rate of 256 elements become one of `special` (codes of special_bits). 8, 16, 32; 0:
  /// none.
  uint32_t special_bits = 0;
  uint32_t special_rate = 0;
  uint32_t special[4] = {};
};
static_assert(sizeof(OperandFill) == 48);

/// One dot product in every element of D: the words of a row of A and of a column of B (8, or 4 of a short
/// k), and C. A column of 32 bytes stands there twice: of 64 it has beside a sparse A.
struct KnownOperands {
  uint32_t present = 0;  ///< else the fills hold
  uint32_t a_row[8] = {}, b_column[16] = {};
  uint32_t c = 0;  ///< a word of the accumulator: an f16 is in both halves
  uint32_t reserved[2] = {};
};
static_assert(sizeof(KnownOperands) == 112);

constexpr uint32_t operand_word(const OperandFill& fill, uint64_t i) {
  const uint64_t mixed = arena_mix(fill.seed + (fill.mirror_bits == 32 ? i & ~uint64_t{1} : i));
  uint32_t word = (static_cast<uint32_t>(mixed) & fill.keep) | fill.set;
  if (fill.mirror_bits == 8) word = (word & 0x00ff00ffu) * 0x101u ^ fill.mirror_flip;
  if (fill.mirror_bits == 16) word = (word & 0xffffu) * 0x10001u ^ fill.mirror_flip;
  if (fill.mirror_bits == 32 && (i & 1) != 0) word ^= fill.mirror_flip;
  if (fill.special_bits == 0) return word;
  const uint64_t chance = arena_mix(mixed ^ i);
  const uint32_t mask = fill.special_bits == 32 ? ~0u : (1u << fill.special_bits) - 1;
  for (uint32_t at = 0; at < 32; at += fill.special_bits) {
    const uint32_t draw = static_cast<uint32_t>(chance >> at);
    if ((draw & 0xff) >= fill.special_rate) continue;
    const uint32_t which = static_cast<uint32_t>(chance >> (32 + at / 4)) & 3;
    // Not an index: the compiler would keep the fill in local memory for it.
    const uint32_t lower = (which & 1) != 0 ? fill.special[1] : fill.special[0];
    const uint32_t upper = (which & 1) != 0 ? fill.special[3] : fill.special[2];
    word = (word & ~(mask << at)) | (((which & 2) != 0 ? upper : lower) & mask) << at;
  }
  return word;
}

}  // namespace assay::params
