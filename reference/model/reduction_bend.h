// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/spec/question.h"
#include "reference/spec/reduction.h"

namespace assay::model {

/// What a bend changes about the arithmetic of an asynchronous reduction.
struct ReductionBend {
  /// The result that is taken in place of the right one; null: none.
  uint64_t (*result)(const spec::Reduction&, uint64_t old, uint64_t operand, uint64_t right) = nullptr;
};

/// reduced() of reduction.h as the bend of these readings has it.
uint64_t bent_reduction(const spec::Reduction&, uint64_t old, uint64_t operand, const spec::Readings&);

}  // namespace assay::model
