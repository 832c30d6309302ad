// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/model/tensor_copy/case.h"
#include "reference/spec/question.h"

namespace assay::suites {

/// Bytes that the barriers are armed with for each destination: what the default readings count, plus what
/// the case says. 0 where the map is refused: nothing is waited for.
int64_t asked_bytes(const TensorCopyCase&, const spec::Readings& defaults);

/// Throws std::runtime_error, one sentence, where no tensor copy can be such a case, or no rig can hold it.
void require_possible(const TensorCopyCase&, uint32_t most_ctas);

}  // namespace assay::suites
