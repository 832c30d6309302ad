// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "reference/model/mma/case.h"
#include "suites/run/field_coverage.h"

/// The fields of a shared-memory descriptor, of tcgen05 or of wgmma, for coverage.
namespace assay::suites {

std::vector<CoveredField> matrix_fields();
/// `values` has one for each of them.
void read_matrix_fields(const MatrixInShared& matrix, FieldValues& values);

/// The matrix descriptors, the instruction descriptor, the mask of zero columns and the scales of
/// Tcgen05MmaCase.
std::span<const Descriptor> tcgen05_descriptors();

}  // namespace assay::suites
