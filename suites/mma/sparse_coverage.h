// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/mma/sparse_cases.h"
#include "suites/mma/coverage.h"

/// Coverage of sparse tcgen05.mma.
namespace assay::suites {

template <spec::MmaKind kind>
std::vector<gen::MmaForm> sparse_forms_of(spec::Arch arch) {
  return gen::sparse_forms(arch, kind);
}

/// Spaces 0 and 1 as of the other layouts; 2: codes of the metadata, those with a meaning or all; 3:
/// selectors and halves of lanes; 4, of those with a meaning: how metadata and scales come.
template <std::vector<gen::MmaForm> (*forms)(spec::Arch), bool all_codes = false>
std::vector<CellSpace> mma_sparse_spaces() {
  std::vector<CellSpace> spaces = mma_layout_spaces<forms>();
  spaces.push_back({"kind of sparsity x code", gen::code_cell_count,
                    [](uint32_t cell, spec::Arch) { return gen::code_cell_name(cell); },
                    [](spec::Arch arch) { return gen::code_cells_of(forms(arch), all_codes); }});
  spaces.push_back({"kind x selector x half of lanes", gen::selector_cell_count,
                    [](uint32_t cell, spec::Arch) { return gen::selector_cell_name(cell); },
                    [](spec::Arch arch) { return gen::selector_cells_of(forms(arch)); }});
  if (all_codes) return spaces;
  spaces.push_back({"kind x CTA group x ways of metadata and scales", gen::way_cell_count,
                    [](uint32_t cell, spec::Arch) { return gen::way_cell_name(cell); },
                    [](spec::Arch arch) { return gen::way_cells_of(forms(arch)); }});
  return spaces;
}

void cover_mma_sparse(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);
/// Of cases with codes without a meaning, whose metadata tcgen05.st brings.
void cover_mma_sparse_codes(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

/// Why the architecture has no kind::i8, or nothing.
std::optional<std::string> needs_kind_i8(spec::Arch);

}  // namespace assay::suites
