// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/mma/coverage.h"

namespace assay::suites {

/// Shape x count x packing of tcgen05.ld and st.
CellSpace tmem_access_cells();
void cover_tmem_access(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

}  // namespace assay::suites
