// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/params/batch.h"
#include "kernels/params/metadata_fill.h"
#include "kernels/params/operand_fill.h"
#include "kernels/params/operand_image.h"
#include "reference/spec/mma_kind.h"

namespace assay::params {

using spec::MmaKind;

/// Collector qualifier: `a` ones for tcgen05.mma, `b0`..`b3` ones (collector_buffer) for tcgen05.mma.ws.
enum class Collector : uint8_t { none = 0, fill = 1, use = 2, lastuse = 3, discard = 4 };

enum Tcgen05MmaFlags : uint32_t {
  mma_a_in_tmem = 1,
  mma_ws = 2,                   ///< tcgen05.mma.ws
  mma_disable_output_lane = 4,  ///< the operand is present
  mma_scale_input_d = 8,        ///< the operand is present; kinds f16 and tf32, Collector::none
  mma_zero_column_mask = 16,    ///< the operand is present; ws
  mma_enable_input_d = 32,      ///< predicate of the first step; later steps always accumulate
  mma_odd_cta_issues = 64,      ///< of a pair: rank 1 issues and commits, not rank 0
  mma_collector_filled = 128,  ///< Collector::use or lastuse: before each step the same instruction with fill
  mma_scale_halves = 256,      ///< lanes 64 and up hold scales of B of their own
  mma_shift_a = 512,           ///< .ashift
  mma_sparse = 1024,           ///< .sp
  /// For every four columns of metadata a tcgen05.cp.128x128b, metadata_copy_bytes after the one before,
  /// brings them from shared memory behind the window; else tcgen05.st does.
  mma_metadata_copied = 2048,
  /// Behind the first accumulation, with nothing between, the same copies bring other scales, whose rows lie
  /// in the window behind all those of their operand; the second accumulation comes after them.
  mma_scales_refilled = 4096,
  /// Two bits from this one on: how the instruction is spelled, where it has no collector and does not scale
  /// D; the host's.
  mma_way = 1 << 13,
  /// From this bit on the number of the thread that issues and commits, 0 to 127.
  mma_issuing_thread = 1 << 16,
};
constexpr uint32_t issuing_thread_of(uint32_t flags) {
  return flags / mma_issuing_thread;
}

constexpr uint32_t way_of(uint32_t flags) {
  return flags / mma_way % 4;
}

inline constexpr NamedFlag mma_flags[] = {
    {"a_in_tmem", mma_a_in_tmem},
    {"ashift", mma_shift_a},
    {"collector_filled", mma_collector_filled},
    {"enable_input_d", mma_enable_input_d},
    {"has_disabled_lanes", mma_disable_output_lane},
    {"has_mask", mma_zero_column_mask},
    {"has_scale_input_d", mma_scale_input_d},
    {"metadata_copied", mma_metadata_copied},
    {"odd_cta_issues", mma_odd_cta_issues},
    {"scale_halves", mma_scale_halves},
    {"scales_refilled", mma_scales_refilled},
    {"sparse", mma_sparse},
    {"ws", mma_ws},
};
inline constexpr uint32_t mma_all_flags = [] {
  uint32_t all = 127 * mma_issuing_thread | 3 * mma_way;
  for (const NamedFlag& row : mma_flags) all |= row.flag;
  return all;
}();
inline constexpr uint32_t metadata_copy_columns = 4, metadata_copy_bytes = 2048;

/// Scale factors of one operand in tensor memory: columns [column, column + columns) of the allocation, cell
/// (lane, c) = operand_word(fill, scale_word(lane, c - column, ...)). Four bytes of a cell are four scales of
/// a row along K, and all partitions of 32 lanes hold the same, or the two halves of the lanes. Where
/// `source` lies in the shared window, word i from there on is operand_word(fill, i), and for every four
/// columns a tcgen05.cp.32x128b.warpx4, scale_copy_bytes after the one before, brings them, or those of B
/// that differ 64x128b.warpx2::01_23; else tcgen05.st does.
struct TensorScales {
  OperandFill fill;
  uint32_t column, columns;
  uint32_t group;   ///< columns from one group of four scales to the next
  uint32_t source;  ///< bytes, from the window's start
};
inline constexpr uint32_t scale_copy_columns = 4, scale_copy_bytes = 1024;
static_assert(sizeof(TensorScales) == 64);

/// Which word of a fill a cell of scales is: as copies of 64 rows of 16 bytes would leave it.
constexpr uint32_t scale_word(uint32_t lane, uint32_t column, bool has_halves) {
  const uint32_t row = lane % 32 + (has_halves ? lane / 64 * 32 : 0);
  return (column / 4 * 64 + row) * 4 + column % 4;
}

/// One accumulation of `steps` tcgen05.mma instructions, each issued twice with mma_collector_filled, for the
/// batched probes.
///
/// Of each CTA (one, or both of a pair: rank 0 first):
///   shared window word i (4 bytes): i * 4 < split ? operand_word(a_fill, i) : operand_word(b_fill, i), below
///   the scales, of which those of A lie first;
///   tensor memory, allocated alloc_columns wide, cell (lane, column): operand_word(fill, lane *
///   alloc_columns
///   + column), fill being tmem_a_fill for columns from tmem_split on, d_fill below; scales where
///   TensorScales say, metadata where MetadataFill says.
/// The CTA of rank 1 adds 1 << 32 to every seed. After the accumulation has completed the whole allocation is
/// written to output + output_offset: CTA after CTA, lane after lane, column after column, 4 bytes each. The
/// images of the windows, where TMA brings them, lie behind it: CTA after CTA, window_bytes each.
struct alignas(16) Tcgen05MmaRecord {
  uint64_t a_desc;  ///< as the instruction takes it, but its start field, and with bit 52 its LBO field too,
                    ///< counts from the window's start: the probe adds window >> 4 in 14 bits
  uint64_t b_desc;
  uint64_t zero_column_mask;
  uint32_t idesc;
  uint32_t flags;  ///< Tcgen05MmaFlags
  MmaKind kind;
  uint8_t cta_group;  ///< 1 or 2: equal for all records of a batch
  Collector collector;
  uint8_t collector_buffer;   ///< 0..3, ws
  uint8_t scale_input_d;      ///< 0..15
  uint8_t steps;              ///< 1..64
  uint8_t scale_vector;       ///< of .block_scale: 0 none, 1, 2, 4 .scale_vec::NX, 16, 32 .blockN
  uint8_t scale_count;        ///< scales of a row that a step goes on by; 0 without .block_scale
  uint32_t a_step, b_step;    ///< added to the descriptor (16-byte units) after each step, a carry out of the
                              ///< start field is lost; to a_taddr (columns) where A is in tensor memory
  uint32_t d_taddr, a_taddr;  ///< lane << 16 | column, the column counts from the allocation's first
  uint32_t alloc_columns;     ///< 32, 64, 128, 256 or 512
  uint32_t tmem_split;        ///< columns
  uint32_t window_bytes;      ///< with sources of scales; multiple of 16, at most max_operand_window_bytes
  uint32_t split;             ///< bytes, multiple of 16
  uint32_t disable_output_lane[8];
  OperandFill a_fill, b_fill, d_fill, tmem_a_fill;
  uint64_t output_offset;  ///< multiple of 256
  uint32_t output_bytes;   ///< cta_group * (128 * alloc_columns * 4 + (by TMA ? window_bytes : 0))
  /// Column of a second D, which the same instructions accumulate afterwards, before the commit; 0: none.
  uint32_t second_column;
  OperandImage image;  ///< of the shared windows
  /// Of the instruction (kernels/forms/records.h), and of the one that fills its collector.
  uint32_t opcode, filling_opcode;
  /// Of the copies of scales and metadata; the start field counts from the first one's source.
  uint64_t scale_copy_desc;
  /// Of .block_scale. The scale ids of the first step are those of idesc; later ones go on from there.
  TensorScales a_scales, b_scales;
  /// Where present the shared windows hold these in place of the fills, halves of 16 bytes 128 bytes apart; c
  /// is not looked at.
  KnownOperands known;
  /// Of .sp. The selector of the first step is that of idesc; later steps go on from there.
  MetadataFill metadata;
};
static_assert(sizeof(Tcgen05MmaRecord) == 608);

/// Of shared memory that the metadata take; the window lies in front of it.
constexpr uint32_t copied_metadata_bytes(const Tcgen05MmaRecord& r) {
  if ((r.flags & mma_metadata_copied) == 0) return 0;
  return r.metadata.columns / metadata_copy_columns * metadata_copy_bytes;
}

/// .shape of tcgen05.ld and tcgen05.st.
enum class TmemShape : uint8_t { s16x64b = 0, s16x128b = 1, s16x256b = 2, s32x32b = 3, s16x32bx2 = 4 };

/// Registers of the longest tcgen05.ld and tcgen05.st.
inline constexpr uint32_t tmem_registers = 128;

/// The immediates of 16x32bx2 that the probe has instructions for.
inline constexpr uint32_t tmem_splits[] = {0, 1, 2, 4, 8, 16, 32, 64, 128, 256};

/// Warps of the largest CTA whose last four access tensor memory: so many that each thread may have 255
/// registers.
inline constexpr uint32_t most_access_warps = 8;

/// One tcgen05.st or one tcgen05.ld by each of the four warps of a CTA, or of the last four of eight. What
/// follows numbers these and their threads alone.
///
/// Tensor memory is filled as above (d_fill in all columns). Thread t of the CTA: for a store its register r
/// is operand_word(register_fill, t * 128 + r), stored by the instruction under test, and the whole
/// allocation is written to the output. For a load the instruction under test reads tensor memory, and
/// register r of thread t is written to output word t * 128 + r; the words that no register has stay
/// 0xffffffff. Warp w uses taddr + (32 * w << 16), or all use that of one.
struct alignas(16) TmemAccessRecord {
  uint8_t is_store;
  TmemShape shape;
  uint8_t count;   ///< .num: 1, 2, 4, 8, 16, 32, 64, 128
  uint8_t packs;   ///< .pack::16b of a load, .unpack::16b of a store
  uint32_t taddr;  ///< lane (0 or 16 for 16-lane shapes) << 16 | column
  uint32_t split;  ///< the immediate of 16x32bx2: columns, one of tmem_splits
  uint16_t alloc_columns;
  uint8_t one_address;  ///< 0: each warp its own; n: all use that of warp n - 1, 1 to 4
  uint8_t warps;        ///< of the CTA: 4 or 8
  OperandFill d_fill, register_fill;
  uint64_t output_offset;  ///< multiple of 256
  uint32_t output_bytes;   ///< store: 128 * alloc_columns * 4; load: 128 * 128 * 4
  uint32_t opcode;         ///< of the instruction (kernels/forms/records.h)
};
static_assert(sizeof(TmemAccessRecord) == 128);

}  // namespace assay::params
