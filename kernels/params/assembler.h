// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::params {

/// One spelling that an assembler is asked about, and who is asked: kernels/forms/assembler/spellings.h. The
/// answer is the word at output_offset: 1, it is taken; 0, it is refused; assemblers_disagree, in its low
/// byte; or not_assembled.
struct alignas(16) AssemblerRecord {
  uint32_t table;          ///< number of a table of spellings
  uint32_t number;         ///< of a spelling in it
  uint32_t target;         ///< forms::Targets, one of them
  uint32_t reserved;       ///< 0
  uint64_t output_offset;  ///< multiple of 256
  uint32_t output_bytes;   ///< assembler_answer_bytes
  uint32_t reserved1;      ///< 0
};
static_assert(sizeof(AssemblerRecord) == 32);
inline constexpr uint32_t assembler_answer_bytes = 4;
inline constexpr uint32_t assemblers_disagree = 2;
/// Nobody who was asked knows the PTX version, or the target.
inline constexpr uint32_t not_assembled = 3;

}  // namespace assay::params
