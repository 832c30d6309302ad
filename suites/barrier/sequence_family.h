// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/barrier/sequence_case.h"
#include "suites/run/family.h"
#include "suites/run/property.h"

namespace assay::suites {

/// Programs of commands: of barriers, or of tensor memory.
const Family& sequence_family();

/// Which step of a program the device answers wrongly, what it should have answered, and what the barrier or
/// the allocation was like before it. The words of an output: kernels/params/sequence.h.
Diagnosis diagnose_sequence(const SequenceCase&, std::span<const uint8_t> expected,
                            std::span<const uint8_t> observed, uint64_t byte);

/// Which step follows which: space 0 of a property of programs.
CellSpace step_pairs(SequenceMachine machine);
void cover_step_pairs(const Case&, const Expected&, uint64_t index, spec::Arch, CoverageSink&);

}  // namespace assay::suites
