// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/tensor_copy/case.h"
#include "reference/spec/question.h"

namespace assay::model {

/// Row `number` of a gather4 or scatter4 as a tiled copy of one row. Its place in shared memory is that of
/// row 0.
TensorCopyCase row_of(const TensorCopyCase&, uint32_t number, const spec::Readings&);

}  // namespace assay::model
