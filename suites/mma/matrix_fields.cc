// SPDX-License-Identifier: Apache-2.0
#include "suites/mma/matrix_fields.h"

#include "reference/model/mma/operand_fields.h"
#include "suites/run/covered_members.h"

namespace assay::suites {

std::vector<CoveredField> matrix_fields() {
  std::vector<CoveredField> made = covered_members<MatrixInShared>("matrix");
  made.push_back(covered_line_offset("start mod 128"));
  return made;
}

void read_matrix_fields(const MatrixInShared& matrix, FieldValues& values) {
  size_t at = 0;
  read_members(matrix, "matrix", values, at);
  values[at] = matrix.start % 128 / 16;
}

}  // namespace assay::suites
