#pragma once

#include <vector>

#include "reference/model/tcgen05_mma_case.h"
#include "suites/run/field_coverage.h"

/// The fields of a shared-memory descriptor, of tcgen05 or of wgmma, for coverage.
namespace assay::suites {

std::vector<CoveredField> matrix_fields();
/// `values` has one for each of them.
void read_matrix_fields(const MatrixInShared& matrix, FieldValues& values);
/// Names of the swizzles in the order of their codes, and where a code is among them; past the last: none.
std::vector<std::string> smem_swizzles_by_code();
uint64_t place_of_smem_swizzle(uint32_t tcgen05_code);

}  // namespace assay::suites
