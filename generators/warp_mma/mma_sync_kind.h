// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include <functional>
#include <string>

#include "generators/tensor_copy/tiled_cases.h"
#include "generators/warp_mma/forms.h"
#include "reference/model/warp_mma/mma_sync_kind.h"

namespace assay::gen {

/// Cells of one kind, of a dense or a sparse A: forms (elements, D, scale vector, selectors of scales) x what
/// the operands hold.
uint32_t kind_cells(SyncKind kind);
std::string kind_cell_name(SyncKind kind, uint32_t cell);
/// Of case `index`: every cell once, in a scattered order, then any.
uint32_t kind_cell(SyncKind kind, uint64_t index);

void make_mma_sync_kind(const CaseId& id, SyncKind kind, MmaSyncKindCase& c);
/// With metadata of codes that have a meaning.
void make_sparse_mma_sync_kind(const CaseId& id, SyncKind kind, MmaSyncKindCase& c);
/// With others among them, all kinds in turn.
void make_sparse_kind_illegal_codes(const CaseId& id, MmaSyncKindCase& c);

/// The group of types whose metadata have the same codes.
MmaGroup codes_of_kind(SyncKind kind);

rc::Shrinkable<MmaSyncKindCase> shrink_tree(const MmaSyncKindCase& c,
                                            std::function<bool(const MmaSyncKindCase&)> keep);

}  // namespace assay::gen
