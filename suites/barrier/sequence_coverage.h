// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/barrier/sequence_case.h"
#include "suites/run/property.h"

namespace assay::suites {

/// Which step follows which: space 0 of a property of programs.
CellSpace step_pairs(SequenceMachine machine);
void cover_step_pairs(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

}  // namespace assay::suites
