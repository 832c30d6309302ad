// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/params/operand_fill.h"

namespace assay::params {

/// The kinds that mma.sync has on sm_120, in the order of their numbers.
enum class MmaSyncKind : uint32_t { f8f6f4, mxf8f6f4, mxf4, mxf4nvf4 };
/// Elements of A and B: five with kinds of K = 32, one to a byte; e2m1 alone, two to a byte, with K = 64.
enum class KindElement : uint32_t { e4m3, e5m2, e3m2, e2m3, e2m1 };

constexpr bool is_scaled(MmaSyncKind kind) {
  return kind != MmaSyncKind::f8f6f4;
}

/// Words that a lane has of a tile of B: beside a sparse A a column is twice as long.
constexpr uint32_t mma_sync_kind_b_words(uint32_t is_sparse) {
  return is_sparse != 0 ? 4 : 2;
}

/// `tiles` mma.sync.m16n8k32 or k64 with a kind, or mma.sp.m16n8k64 or k128, by each of four warps, as in
/// MmaSyncRecord: words of A, B, C and D lie as there. The word of scales of A of thread t in tile i is
/// operand_word(a_scale_fill, i * 128 + t), that of B of lane l operand_word(b_scale_fill, i * 32 + l).
struct alignas(16) MmaSyncKindRecord {
  MmaSyncKind kind;
  KindElement a, b;
  uint32_t d_is_f16;      ///< f8f6f4; else D is f32
  uint32_t scale_vector;  ///< 0: not written; 1, 2 or 4
  uint32_t tiles;         ///< 1 to 256
  uint32_t opcode;        ///< of all this (kernels/forms/records.h)
  uint32_t selectors;     ///< byte-id and thread-id of A, then of B, 8 bits each from the lowest
  OperandFill a_fill, b_fill, c_fill, a_scale_fill, b_scale_fill;
  uint64_t output_offset;         ///< multiple of 256
  uint32_t output_bytes;          ///< 128 * tiles * 4 * 4, or half of it where D is f16
  uint32_t is_sparse;             ///< mma.sp::ordered_metadata, selector 0: all lanes of a quad have metadata
  KnownOperands known;            ///< of A, B and C, as in MmaSyncRecord
  uint32_t sparse_metadata[128];  ///< of each thread, the same for all tiles; of a dense A not looked at
};
static_assert(sizeof(MmaSyncKindRecord) == 912);
inline constexpr uint32_t mma_sync_kind_most_tiles = 256;

}  // namespace assay::params
