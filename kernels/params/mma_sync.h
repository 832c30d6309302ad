// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/params/operand_fill.h"
#include "kernels/params/warp_mma_types.h"

namespace assay::params {

/// One instruction form: mma.sync.m<m>n8k<k>, or with an mma_sparsity() that is not 0 mma.sp.m<m>n8k<k>.
constexpr uint32_t mma_sync_form(MmaTypes types, uint32_t m, uint32_t k, uint32_t sparsity = 0) {
  return sparsity << 24 | static_cast<uint32_t>(types) << 16 | m << 8 | k;
}
constexpr MmaTypes mma_sync_form_types(uint32_t form) {
  return static_cast<MmaTypes>(form >> 16 & 0xff);
}
constexpr uint32_t mma_sync_form_sparsity(uint32_t form) {
  return form >> 24;
}
constexpr uint32_t mma_sync_form_m(uint32_t form) {
  return form >> 8 & 0xff;
}
constexpr uint32_t mma_sync_form_k(uint32_t form) {
  return form & 0xff;
}
/// Registers that D takes in a thread: 4, or 2 for halves and for m8.
constexpr uint32_t mma_sync_d_registers(uint32_t form) {
  return mma_sync_form_m(form) == 8 || has_half_accumulator(mma_sync_form_types(form)) ? 2 : 4;
}

/// Words that a lane has of a tile of B: 4 where a column has 64 bytes (of a sparse A), else 2, of which some
/// forms take one.
constexpr uint32_t mma_sync_b_words(uint32_t form) {
  return mma_sync_form_k(form) * a_bits(mma_sync_form_types(form)) == 512 ? 4 : 2;
}

/// Registers of a warp word for word, as they were measured: register r of lane l is word l * 4 + r. All
/// warps and all tiles have the same.
struct WarpRegisters {
  uint32_t present = 0;  ///< else the fills hold
  uint32_t reserved[3] = {};
  uint32_t a[128] = {}, b[128] = {}, c[128] = {};
};

/// `tiles` mma.sync instructions by each of four warps: all of a warp with the same A, all warps with the
/// same B's. So the warps together multiply a matrix of 4 * m rows by one of 8 * tiles columns.
///
/// Register r of A of thread t (0 to 127) is operand_word(a_fill, t * 4 + slot), slot being 0, 2, 1, 3 for r
/// 0, 1, 2, 3: words of the same row follow each other. Register r of B of lane l in tile i is
/// operand_word(b_fill, (i * 32 + l) * b_words + r). Register r of D of thread t in tile i is word (t * tiles
/// + i) * d_registers + r of the output; C there is operand_word(c_fill, that word's index).
struct alignas(16) MmaSyncRecord {
  uint32_t form;     ///< a mma_sync_form() that the probes have: kernels/forms/mma_sync.cc
  uint32_t tiles;    ///< 1 to 256
  uint32_t opcode;   ///< of the form (kernels/forms/records.h)
  uint32_t b_words;  ///< mma_sync_b_words() of the form
  OperandFill a_fill, b_fill, c_fill;
  uint64_t output_offset;  ///< multiple of 256
  uint32_t output_bytes;   ///< 128 * tiles * d_registers * 4
  uint32_t reserved1;      ///< 0
  /// Word i of A is then word i / 4 % 4 + i % 2 * 4 of the row, word i of B word i / b_words % 4 + i %
  /// b_words * 4 of the column.
  KnownOperands known;
  uint32_t sparse_metadata[128];  ///< of each thread, the same for all tiles; of a dense A not looked at
  WarpRegisters registers;
};
static_assert(sizeof(MmaSyncRecord) == 2352);
inline constexpr uint32_t mma_sync_most_tiles = 256;

}  // namespace assay::params
