// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/params/operand_fill.h"
#include "reference/model/warp_mma/warp_mma.h"

namespace assay::suites {

/// A pattern of a case as a record has it.
params::OperandFill operand_fill(const OperandPattern& pattern);

/// The words that the probes put into memory and registers.
extern const model::PatternWords pattern_words;

}  // namespace assay::suites
