// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/run/property.h"

namespace assay::suites {

/// Shape x format x CTA group of tcgen05.cp, and shape x swizzle of its matrix.
CellSpace copy_form_cells(bool all_formats);
CellSpace copy_source_cells();
void cover_copies(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

/// Lane of the address x number of shifts x CTA group.
CellSpace shift_cells();
void cover_shifts(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

/// Which kinds of instructions follow one another.
/// of_refills: 4x256b behind a shift alone.
CellSpace move_pair_cells(bool of_refills);
void cover_move_pairs(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

}  // namespace assay::suites
