// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include <functional>
#include <string>

#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/warp_mma/mma_sync_f64.h"

namespace assay::gen {

/// Cells: shape x what the operands are filled with.
uint32_t f64_cells();
std::string f64_cell_name(uint32_t cell);
/// Of case `index`: every cell once, in a scattered order, then any.
uint32_t f64_cell(uint64_t index);

void make_mma_sync_f64(const CaseId& id, MmaSyncF64Case& c);

rc::Shrinkable<MmaSyncF64Case> shrink_tree(const MmaSyncF64Case& c,
                                           std::function<bool(const MmaSyncF64Case&)> keep);

}  // namespace assay::gen
