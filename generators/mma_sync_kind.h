#pragma once

#include <rapidcheck.h>

#include <functional>
#include <string>

#include "generators/tiled_cases.h"
#include "reference/model/mma_sync_kind.h"

namespace assay::gen {

/// Cells of one kind: forms (elements, D, scale vector, selectors of scales) x what the operands hold.
uint32_t kind_cells(SyncKind kind);
std::string kind_cell_name(SyncKind kind, uint32_t cell);
/// Of case `index`: every cell once, in a scattered order, then any.
uint32_t kind_cell(SyncKind kind, uint64_t index);

void make_mma_sync_kind(const CaseId& id, SyncKind kind, MmaSyncKindCase& c);

rc::Shrinkable<MmaSyncKindCase> shrink_tree(const MmaSyncKindCase& c,
                                            std::function<bool(const MmaSyncKindCase&)> keep);

}  // namespace assay::gen
