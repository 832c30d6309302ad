// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "generators/tensor_copy/tiled_cases.h"
#include "generators/warp_mma/forms.h"

/// Case i of the properties of mma.sp and wgmma.sp: as those of dense instructions (warp_mma/cases.h), with
/// metadata.
namespace assay::gen {

void make_sparse_wgmma(const CaseId& id, MmaGroup group, WgmmaCase& c);
void make_sparse_mma_sync(const CaseId& id, MmaGroup group, MmaSyncCase& c);

/// Forms x mixes, as form_walk.h numbers them.
uint32_t sparse_wgmma_cells(MmaGroup group);
std::string sparse_wgmma_cell_name(MmaGroup group, uint32_t cell);
std::vector<uint32_t> reachable_sparse_wgmma_cells(MmaGroup group);
uint32_t sparse_wgmma_cell(uint64_t index, MmaGroup group);
uint32_t sparse_mma_sync_cells(MmaGroup group);
std::string sparse_mma_sync_cell_name(MmaGroup group, uint32_t cell);
std::vector<uint32_t> reachable_sparse_mma_sync_cells(MmaGroup group);
uint32_t sparse_mma_sync_cell(uint64_t index, MmaGroup group);

/// Codes of metadata that a property has: 16 of the group's kind of sparsity.
inline constexpr uint32_t code_count = 16;
std::string code_name(MmaGroup group, uint32_t code);
/// Those whose places ascend, which PTX gives a meaning to under either spelling.
std::vector<uint32_t> legal_codes(MmaGroup group);

/// All others.
std::vector<uint32_t> codes_without_a_meaning(MmaGroup group);

/// Metadata with codes of the group; the spelling and the selector are left as they are.
void draw_metadata(Random& random, MmaGroup group, SparseA& sparse);
/// Codes without a meaning among them, seldom enough that rows beside others have none; now and then
/// everywhere. kept: elements of a row of A.
void take_strange_codes(const CaseId& id, MmaGroup group, uint32_t kept, SparseA& sparse);

/// Cases whose metadata have codes without a meaning among the others, all groups of types in turn.
void make_sparse_wgmma_illegal_codes(const CaseId& id, WgmmaCase& c);
void make_sparse_mma_sync_illegal_codes(const CaseId& id, MmaSyncCase& c);

/// Metadata of legal codes, and of codes without a meaning where such are asked for, with a selector that is
/// below 4; what a dense A leaves out is zero.
bool fits_rig(const MmaTypes& types, const SparseA& sparse);

}  // namespace assay::gen
