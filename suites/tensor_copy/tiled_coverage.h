// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

#include "suites/run/property.h"

namespace assay::suites {

/// The cell space of tiled copies (generators/tensor_copy/tiled_cell.h) for loads or stores.
CellSpace tiled_cells(TiledDirection direction);
/// Counts a tiled copy in it, as space 0.
void cover_tiled(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

/// How the reference expects cases to end, as a cell space: for properties about faults.
CellSpace expected_ends(std::vector<uint32_t> (*reachable)(spec::Arch));
/// Cells of that space.
std::vector<uint32_t> of_ends(std::initializer_list<model::End> ends);
void cover_end(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

}  // namespace assay::suites
