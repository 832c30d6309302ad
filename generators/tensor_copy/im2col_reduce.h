// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/tensor_copy/im2col_copy.h"

/// Cases of cp.reduce.async.bulk.tensor in im2col mode: stores with an operation.
namespace assay::gen {

/// The first indexes walk every operation and type, on columns as stores have them.
void make_im2col_reduce(const CaseId& id, TensorCopyCase& c);
/// An operation that the type lacks, or a store's fault.
void make_im2col_reduce_fault(const CaseId& id, TensorCopyCase& c);
/// Columns whose pixels lie on each other.
void make_im2col_reduce_conflict(const CaseId& id, TensorCopyCase& c);

}  // namespace assay::gen
