// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/params/arena.h"

namespace assay::params {

/// The sparsity metadata of A in tensor memory: columns [column, column + columns) of the allocation, cell
/// (lane, c) = metadata_word(fill, lane, c - column), the same on host and device. Eight codes of 4 bits are
/// a cell.
struct MetadataFill {
  uint64_t seed = 0;
  uint32_t codes = 0;          ///< eight codes, of which each code is one
  uint32_t strange_codes = 0;  ///< eight more, and
  uint32_t strange_rate = 0;   ///< of 256 codes so many are of those
  uint32_t column = 0, columns = 0;
  /// 1: an instruction takes one of two columns, which the low bit of its selector names; 0: both.
  uint32_t has_selector = 0;
};
static_assert(sizeof(MetadataFill) == 32);

constexpr uint32_t metadata_word(const MetadataFill& fill, uint32_t lane, uint32_t column) {
  const uint64_t draws = arena_mix(fill.seed + (uint64_t{column} << 7 | lane)), chances = arena_mix(draws);
  uint32_t word = 0;
  for (uint32_t i = 0; i < 8; ++i) {
    const bool is_strange = (static_cast<uint32_t>(chances >> 8 * i) & 0xff) < fill.strange_rate;
    const uint32_t list = is_strange ? fill.strange_codes : fill.codes;
    const uint32_t which = static_cast<uint32_t>(draws >> 8 * i) & 7;
    word |= (list >> 4 * which & 0xf) << 4 * i;
  }
  return word;
}

}  // namespace assay::params
