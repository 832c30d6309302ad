// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/params/sequence.h"

/// How the commands of a program on tensor memory (kernels/params/sequence.h) are said.
namespace assay::params {

/// `offset`: the address is a register and a negative immediate. `beside_idle`: one like it follows, with
/// other operands, whose predicate is false.
enum class TmemSpelling : uint8_t { plain = 0, offset = 1, beside_idle = 2 };
inline constexpr uint32_t tmem_spellings = 3;

/// Shapes of a load or a store of 8 columns of a warp's 32 lanes: 32x32b.x8, or lanes 0 to 15 and then 16 to
/// 31 by 16x64b.x4, 16x128b.x2, 16x256b.x1 or 16x32bx2.x4.
inline constexpr uint32_t tmem_access_shapes = 5;
inline constexpr uint32_t tmem_access_forms = tmem_access_shapes * tmem_spellings;

/// Amount of a load: 0, or 1 for eight loads of 32x32b.x1, or from 2 on one more than the form. Of a store:
/// the seed in ten bits, the form above. Of a product: five bits (bit 0: onto what is there; bits 2:1: which
/// operands; bit 3: of the negated A; bit 4: of 64 x 16 x 16), the spelling above. Of a shift: the spelling.
inline constexpr uint32_t load_by_columns = 1, store_seed_bits = 10, product_bits = 5;

/// Opcode of the families tcgen05.ld.cells and tcgen05.st.cells, shape * tmem_spellings + TmemSpelling, of
/// tcgen05.mma.cells and tcgen05.shift.cells, TmemSpelling; 0 where there is none.
constexpr uint32_t tmem_form(TmemCommand command, uint32_t amount) {
  switch (command) {
    case TmemCommand::store:
      return amount >> store_seed_bits;
    case TmemCommand::multiply:
      return amount >> product_bits;
    case TmemCommand::load:
      return amount > load_by_columns ? amount - 1 : 0;
    case TmemCommand::shift:
      return amount;
    default:
      return 0;
  }
}
/// One more than the largest.
constexpr uint32_t tmem_forms(TmemCommand command) {
  switch (command) {
    case TmemCommand::store:
    case TmemCommand::load:
      return tmem_access_forms;
    case TmemCommand::multiply:
    case TmemCommand::shift:
      return tmem_spellings;
    default:
      return 1;
  }
}

}  // namespace assay::params
