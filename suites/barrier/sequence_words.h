// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/barrier/sequence_case.h"
#include "suites/run/family.h"

namespace assay::suites {

/// Which step of a program the device answers wrongly, what it should have answered, and what the barrier or
/// the allocation was like before it. The words of an output: kernels/params/sequence.h.
Diagnosis diagnose_sequence(const SequenceCase&, std::span<const uint8_t> expected,
                            std::span<const uint8_t> observed, uint64_t byte);

}  // namespace assay::suites
