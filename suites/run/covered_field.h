// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/spec/field.h"
#include "suites/run/field_coverage.h"

/// Fields of descriptors for coverage, made from what the tables of reference/spec say of them.
namespace assay::suites {

CoveredField covered_number(std::string name, uint64_t lowest, uint64_t highest, uint64_t unit = 1);
/// A number of so many bits in the field's units.
CoveredField covered_number(const spec::Field& field);
CoveredField covered_codes(std::string name, std::vector<std::string> values);
CoveredField covered_flag(std::string name);
/// Where a multiple of 16 lies in a line of 128 bytes.
CoveredField covered_line_offset(std::string name);
/// first, first + 1, ... last.
std::vector<std::string> covered_range(uint64_t first, uint64_t last);
/// The names of the rows of a table, those of swizzles with their words apart: "128B_atom_32B_flip_8B".
template <typename Rows>
std::vector<std::string> covered_names(const Rows& rows);
std::string covered_name(std::string_view name);
/// "box[0]".
std::string indexed_name(std::string_view name, size_t i);

template <typename Rows>
std::vector<std::string> covered_names(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.push_back(covered_name(row.name));
  return names;
}

}  // namespace assay::suites
