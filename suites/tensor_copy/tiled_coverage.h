// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

#include "suites/run/property.h"

namespace assay::suites {

/// The cell space of tiled copies (generators/tensor_copy/tiled_cell.h) for loads or stores.
CellSpace tiled_cells(CopyDirection direction);
/// Counts a tiled copy in it, as space 0.
void cover_tiled(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

/// How the reference expects cases to end, as a cell space: for properties about faults.
CellSpace expected_ends(std::vector<uint32_t> (*reachable)(spec::Arch));
/// Cells of that space.
std::vector<uint32_t> of_ends(std::initializer_list<model::End> ends);
void cover_end(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

/// The ends of properties about faults of copies, and about bytes that are counted.
CellSpace ends_of_faults();
CellSpace ends_of_counts();

/// Operation and type of tensor reductions; counts one in it, as space 0.
CellSpace reductions();
void cover_reduction(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

}  // namespace assay::suites
