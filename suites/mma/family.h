// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "reference/model/mma/case.h"
#include "suites/run/family.h"
#include "suites/run/field_coverage.h"

namespace assay::suites {

/// tcgen05.mma with all its kinds, .ws and .sp among them.
const Family& tcgen05_mma_family();

/// A case of tcgen05.mma as named fields in reading order.
std::vector<std::pair<std::string, std::string>> mma_fields(const Tcgen05MmaCase&);
/// " f16 e4m3*e5m2 128x64x32 ws": for one line.
std::string mma_brief(const Tcgen05MmaCase&);
/// What failures of one cause tend to share.

}  // namespace assay::suites

/// The fields of a shared-memory descriptor, of tcgen05 or of wgmma, for coverage.
namespace assay::suites {

std::vector<CoveredField> matrix_fields();
/// `values` has one for each of them.
void read_matrix_fields(const MatrixInShared& matrix, FieldValues& values);

/// The matrix descriptors, the instruction descriptor, the mask of zero columns and the scales of
/// Tcgen05MmaCase.
std::span<const Descriptor> tcgen05_descriptors();

}  // namespace assay::suites
