// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/params/operand_fill.h"

namespace assay::params {

/// .shape of tcgen05.cp with its multicast.
enum class CopyShape : uint8_t {
  s128x256b = 0,
  s4x256b = 1,
  s128x128b = 2,
  s64x128b_warpx2_02_13 = 3,
  s64x128b_warpx2_01_23 = 4,
  s32x128b_warpx4 = 5,
};
inline constexpr uint32_t copy_shapes = 6;

/// Of tcgen05.cp: none, .b8x16.b6x16_p32, .b8x16.b4x16_p64.
enum class CopyFormat : uint8_t { none = 0, b6x16_p32 = 1, b4x16_p64 = 2 };
inline constexpr uint32_t copy_formats = 3;

/// Opcode of the copy of a shape that takes bytes as they are, of either CTA group
/// (kernels/forms/tcgen05_transfer.cc: formats turn fastest, and every form exists).
constexpr uint32_t plain_copy_opcode(uint32_t shape) {
  return shape * copy_formats;
}

/// `count` instructions of one kind, one behind the other.
struct TmemMoveCommand {
  uint8_t is_shift;  ///< 0: tcgen05.cp; 1: tcgen05.shift.down
  CopyShape shape;
  CopyFormat format;
  uint8_t waits;         ///< 1: each is committed and waited for; 0: none is, before the next command
  uint32_t count;        ///< 1 to 64
  uint32_t taddr;        ///< lane << 16 | column, the column counts from the allocation's first
  uint32_t source_step;  ///< added to the start field of the descriptor after each, in 16 bytes
  uint32_t column_step;  ///< added to the column after each
  uint32_t opcode;       ///< of a copy: by forms::opcode_of
  uint64_t descriptor;   ///< start (and absolute leading offset) count from the window
};
static_assert(sizeof(TmemMoveCommand) == 32);

inline constexpr uint32_t most_moves = 3;

/// Copies from shared into tensor memory and shifts within it, issued by one thread.
///
/// Of each CTA (one, or both of a pair: rank 0 first) word i of the shared window is
/// operand_word(window_fill, i), and cell (lane, column) of the allocation operand_word(d_fill, lane *
/// alloc_columns + column); the CTA of rank 1 adds 1 << 32 to every seed. At the end all is committed and
/// waited for, and the whole allocation written to output + output_offset: CTA after CTA, lane after lane,
/// column after column, 4 bytes each.
struct alignas(16) TmemCopyRecord {
  uint8_t cta_group;       ///< 1 or 2: equal for all records of a batch
  uint8_t odd_cta_issues;  ///< of a pair: rank 1
  uint8_t move_count;      ///< 1 to most_moves
  uint8_t issuer_thread;   ///< 0 to 127
  uint32_t alloc_columns;  ///< 32, 64, 128, 256 or 512
  uint32_t window_bytes;   ///< multiple of 16, at most max_operand_window_bytes
  uint32_t output_bytes;   ///< cta_group * 128 * alloc_columns * 4
  uint64_t output_offset;  ///< multiple of 256
  uint64_t reserved1;      ///< 0
  OperandFill window_fill, d_fill;
  TmemMoveCommand moves[most_moves];
};
static_assert(sizeof(TmemCopyRecord) == 224);

}  // namespace assay::params
