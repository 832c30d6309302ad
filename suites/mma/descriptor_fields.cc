// SPDX-License-Identifier: Apache-2.0
#include "suites/mma/descriptor_fields.h"

#include "reference/model/mma/fields.h"
#include "suites/run/field_coverage.h"

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

namespace {

// As rows of the members' tables name them.
constexpr const char* instruction_descriptor = "instruction descriptor";
constexpr const char* scale_factors = "scale factors";
constexpr const char* zero_column_mask = "zero-column mask";

bool read_a(const Case& c, FieldValues& values) {
  const auto* mma = c.get_if<Tcgen05MmaCase>();
  if (mma == nullptr || mma->a_in_tmem) return false;
  read_matrix_fields(mma->a, values);
  return true;
}
bool read_b(const Case& c, FieldValues& values) {
  const auto* mma = c.get_if<Tcgen05MmaCase>();
  if (mma == nullptr) return false;
  read_matrix_fields(mma->b, values);
  return true;
}

bool read_instruction(const Case& any, FieldValues& values) {
  const auto* c = any.get_if<Tcgen05MmaCase>();
  if (c == nullptr) return false;
  size_t at = 0;
  read_members(*c, instruction_descriptor, values, at);
  return true;
}

bool read_scales(const Case& any, FieldValues& values) {
  const auto* c = any.get_if<Tcgen05MmaCase>();
  if (c == nullptr || c->a_scales.columns == 0) return false;
  size_t at = 0;
  read_members(*c, scale_factors, values, at);
  return true;
}

bool read_mask(const Case& any, FieldValues& values) {
  const auto* c = any.get_if<Tcgen05MmaCase>();
  if (c == nullptr || !c->has_mask) return false;
  size_t at = 0;
  read_members(c->mask, zero_column_mask, values, at);
  return true;
}

}  // namespace

std::span<const Descriptor> tcgen05_descriptors() {
  static const std::vector<Descriptor> made = [] {
    std::vector<Descriptor> list;
    list.emplace_back("descriptor of A", matrix_fields(), read_a);
    list.emplace_back("descriptor of B", matrix_fields(), read_b);
    list.emplace_back(instruction_descriptor, covered_members<Tcgen05MmaCase>(instruction_descriptor),
                      read_instruction);
    list.emplace_back(zero_column_mask, covered_members<ColumnMask>(zero_column_mask), read_mask);
    list.emplace_back(scale_factors, covered_members<Tcgen05MmaCase>(scale_factors), read_scales);
    return list;
  }();
  return made;
}

}  // namespace assay::suites
