// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/forms/assembler/spellings.h"

/// The tables of spellings, a file for each group of instructions; spellings.cc lists them.
namespace assay::forms {

extern const SpellingTable asked_tcgen05_mma, asked_tcgen05_mma_sparse, asked_tcgen05_mma_operands,
    asked_tcgen05_mma_addresses, asked_tcgen05_mma_scales;
extern const SpellingTable asked_tcgen05_ld, asked_tcgen05_st, asked_tcgen05_ld_red;
extern const SpellingTable asked_tcgen05_cp, asked_tcgen05_shift;
extern const SpellingTable asked_tcgen05_alloc, asked_tcgen05_dealloc, asked_tcgen05_commit,
    asked_tcgen05_wait;
extern const SpellingTable asked_wgmma_types, asked_wgmma_extents, asked_wgmma_immediates;
extern const SpellingTable asked_wgmma_sp_types, asked_wgmma_sp_extents, asked_wgmma_sp_immediates,
    asked_wgmma_sp_selectors;
extern const SpellingTable asked_mma_sync, asked_mma_sync_f64;
extern const SpellingTable asked_mma_sp, asked_mma_sp_selectors;
extern const SpellingTable asked_mma_sp_kind, asked_mma_sp_block_scale, asked_mma_sp_kind_selectors,
    asked_mma_sp_kind_scales;
extern const SpellingTable asked_mma_sync_kind, asked_mma_sync_block_scale, asked_mma_sync_selectors;
extern const SpellingTable asked_tensor_load, asked_tensor_store, asked_tensor_reduce, asked_tensor_prefetch;
extern const SpellingTable asked_tensormap_replace;

/// Of the kernels' own forms of mma.sync with .kind::f8f6f4.
Legality legality_of_probed_kinds(Picks picks, Targets target);

constexpr Legality legal_if(bool is_legal) {
  return is_legal ? Legality::legal : Legality::illegal;
}
constexpr bool has_tcgen05(Targets target) {
  return (target & with_tcgen05) != 0;
}
constexpr bool has_mma_kinds(Targets target) {
  return (target & with_mma_kinds) != 0;
}
constexpr bool has_wgmma(Targets target) {
  return (target & with_wgmma) != 0;
}
constexpr bool is_from_sm_100a(Targets target) {
  return (target & from_sm_100a) != 0;
}

}  // namespace assay::forms
