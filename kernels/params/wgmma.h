// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/params/operand_fill.h"
#include "kernels/params/warp_mma_types.h"

namespace assay::params {

enum WgmmaModifiers : uint32_t {
  wgmma_transpose_a = 1,
  wgmma_transpose_b = 2,
  wgmma_negate_a = 4,  ///< imm-scale-a is -1
  wgmma_negate_b = 8,
  wgmma_a_in_registers = 16,
};

/// Products that add to the D of another one in its group.
inline constexpr uint32_t wgmma_added_in_group = 7;

/// One instruction form: everything that PTX wants at assembly time. sparsity: mma_sparsity(), `.sp` alone.
/// groups: 0; up to 8, each eight columns are an instruction and a group, of which all but groups - 1 are
/// waited for before their D is looked at, and the others then; above, groups - 8 more of the product add to
/// that D: one to three, each in a group of its own, or wgmma_added_in_group.
constexpr uint32_t wgmma_form(MmaTypes types, uint32_t n, uint32_t modifiers, uint32_t sparsity = 0,
                              uint32_t groups = 0) {
  return groups << 28 | sparsity << 24 | static_cast<uint32_t>(types) << 16 | n << 5 | modifiers;
}
constexpr MmaTypes wgmma_form_types(uint32_t form) {
  return static_cast<MmaTypes>(form >> 16 & 0xff);
}
constexpr uint32_t wgmma_form_sparsity(uint32_t form) {
  return form >> 24 & 0xf;
}
constexpr uint32_t wgmma_form_groups(uint32_t form) {
  return form >> 28;
}
constexpr uint32_t wgmma_form_n(uint32_t form) {
  return form >> 5 & 0x7ff;
}
constexpr uint32_t wgmma_form_modifiers(uint32_t form) {
  return form & 0x1f;
}
/// Registers that D takes in each of the 128 threads.
constexpr uint32_t wgmma_d_registers(MmaTypes types, uint32_t n) {
  return n / (has_half_accumulator(types) ? 4 : 2);
}
constexpr uint32_t wgmma_d_registers(uint32_t form) {
  return wgmma_d_registers(wgmma_form_types(form), wgmma_form_n(form));
}

/// One wgmma.mma_async of M 64 by four warps, or one for each eight columns, whose B is the stride offset
/// further on than that of the columns before.
///
/// Shared window word i (4 bytes): i * 4 < split ? operand_word(a_fill, i) : operand_word(b_fill, i).
/// With A in registers, register r of thread t is operand_word(a_fill, t * 4 + slot), slot being 0, 2, 1, 3
/// for r 0, 1, 2, 3, so that words of the same row follow each other.
/// Register r of D of thread t is word t * registers + r of the output; before the instruction it is
/// operand_word(c_fill, that word's index).
struct alignas(16) WgmmaRecord {
  uint64_t a_desc;  ///< its start field counts from the window's start: the probe adds window >> 4 in 14 bits
  uint64_t b_desc;
  uint32_t form;          ///< a wgmma_form() that the probes have: kernels/forms/wgmma.cc
  uint32_t scale_d;       ///< 0: the predicate scale-d is false
  uint32_t window_bytes;  ///< multiple of 16, at most max_operand_window_bytes
  uint32_t split;         ///< bytes, multiple of 16
  OperandFill a_fill, b_fill, c_fill;
  uint64_t output_offset;  ///< multiple of 256
  uint32_t output_bytes;   ///< 128 * registers * 4
  uint32_t opcode;         ///< of the form (kernels/forms/records.h)
  uint32_t warpgroup;      ///< of the CTA, 0 or 1: the one that multiplies
  uint32_t reserved[3];    ///< 0
  /// Word i of a part of the window is then word i / 32 % 2 * 4 + i % 4 of the row (of the column): K-major
  /// without swizzle, the leading offset 128, the stride offset a multiple of 256. Word i of A in registers
  /// is word i / 4 % 4 + i % 2 * 4 of the row.
  KnownOperands known;
  uint32_t sparse_metadata[128];  ///< of each thread; of a dense A not looked at
};
static_assert(sizeof(WgmmaRecord) == 832);

}  // namespace assay::params
