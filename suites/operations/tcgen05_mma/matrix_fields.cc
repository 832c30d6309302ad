#include "suites/operations/tcgen05_mma/matrix_fields.h"

#include <algorithm>

#include "reference/spec/smem_desc.h"
#include "suites/run/covered_field.h"

namespace assay::suites {

std::vector<std::string> smem_swizzles_by_code() {
  std::vector<spec::SmemSwizzle> rows(spec::smem_swizzles.begin(), spec::smem_swizzles.end());
  std::ranges::sort(rows, {}, &spec::SmemSwizzle::tcgen05_code);
  return covered_names(rows);
}

uint64_t place_of_smem_swizzle(uint32_t tcgen05_code) {
  if (spec::find_smem_swizzle(uint64_t{tcgen05_code}) == nullptr) return spec::smem_swizzles.size();
  return static_cast<uint64_t>(std::ranges::count_if(
      spec::smem_swizzles,
      [tcgen05_code](const spec::SmemSwizzle& row) { return row.tcgen05_code < tcgen05_code; }));
}

std::vector<CoveredField> matrix_fields() {
  return {covered_number(spec::smem::start),
          covered_number(spec::smem::leading_offset),
          covered_number(spec::smem::stride_offset),
          covered_codes("base_offset", covered_range(0, 7)),
          covered_codes("swizzle", smem_swizzles_by_code()),
          covered_flag("leading_is_absolute"),
          covered_line_offset("start mod 128")};
}

void read_matrix_fields(const MatrixInShared& matrix, FieldValues& values) {
  values[0] = matrix.start;
  values[1] = matrix.leading_offset;
  values[2] = matrix.stride_offset;
  values[3] = matrix.base_offset;
  values[4] = place_of_smem_swizzle(matrix.swizzle);
  values[5] = matrix.leading_is_absolute;
  values[6] = matrix.start % 128 / 16;
}

}  // namespace assay::suites
