// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/mma/scaled_cases.h"
#include "suites/mma/coverage.h"

/// Coverage of block-scaled tcgen05.mma.
namespace assay::suites {

template <spec::MmaKind kind>
std::vector<gen::MmaForm> scaled_forms_of(spec::Arch) {
  return gen::scaled_forms(kind);
}

/// Spaces 0 and 1 as of the other layouts; 2: scale ids by number and format of scales; 3: how scales come.
template <std::vector<gen::MmaForm> (*forms)(spec::Arch)>
std::vector<CellSpace> mma_scaled_spaces() {
  std::vector<CellSpace> spaces = mma_layout_spaces<forms>();
  spaces.push_back({"number of scales x scale ids x format", gen::scale_cell_count,
                    [](uint32_t cell, spec::Arch) { return gen::scale_cell_name(cell); },
                    [](spec::Arch arch) { return gen::scale_cells_of(forms(arch)); }});
  spaces.push_back({"kind x CTA group x way of the scales", gen::scale_way_cell_count,
                    [](uint32_t cell, spec::Arch) { return gen::scale_way_cell_name(cell); },
                    [](spec::Arch arch) { return gen::scale_way_cells_of(forms(arch)); }});
  return spaces;
}

/// Of scales that are copied over.
std::vector<CellSpace> mma_refill_spaces();
void cover_mma_refill(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

void cover_mma_scaled(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

/// Why the architecture has no K of 96, or nothing.
std::optional<std::string> needs_k_of_96(spec::Arch);

}  // namespace assay::suites
