// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/params/operand_fill.h"

namespace assay::params {

/// Words that a thread writes: 128 registers, the reduction, three of padding.
inline constexpr uint32_t tmem_red_words = 132;
/// Operations of tcgen05.ld.red: min and max of u32, of s32, then of f32 plain, .NaN, .abs and .abs.NaN.
inline constexpr uint32_t tmem_red_operations = 12;

/// One tcgen05.ld.red by each of the four warps of a CTA.
///
/// Cell (lane, column) of the allocation is operand_word(d_fill, lane * alloc_columns + column) before. Word
/// i of thread t, of the output: register i, ~0 where there is none; word 128 the reduction; the rest is ~0.
struct alignas(16) TmemLdRedRecord {
  uint8_t is_split;   ///< 0: 32x32b; 1: 16x32bx2 with its halves `count` columns apart
  uint8_t count;      ///< .num: 2, 4, ... 128
  uint8_t operation;  ///< 0 to tmem_red_operations - 1
  uint8_t reserved0;  ///< 0
  uint32_t taddr;     ///< lane (0 or 16 of the split shape) << 16 | column
  uint32_t alloc_columns;
  uint32_t output_bytes;   ///< 128 * tmem_red_words * 4
  uint64_t output_offset;  ///< multiple of 256
  uint32_t opcode;         ///< by forms::opcode_of
  uint32_t reserved1;      ///< 0
  OperandFill d_fill;
};
static_assert(sizeof(TmemLdRedRecord) == 80);

}  // namespace assay::params
