// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/mma/coverage.h"
#include "suites/run/family.h"

namespace assay::suites {

/// tcgen05.ld and tcgen05.st.
const Family& tmem_access_family();

/// Shape x count x packing of tcgen05.ld and st.
CellSpace tmem_access_cells();
void cover_tmem_access(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

}  // namespace assay::suites
