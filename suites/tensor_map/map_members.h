// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

#include "reference/model/tensor_copy/case.h"
#include "suites/run/field_coverage.h"

/// What covering the arguments of a map takes beside the table of their members.
namespace assay::suites {

/// Where the one field stands that the table does not have: where the address lies in a line of 128 bytes.
inline constexpr size_t map_address_field = 6;
/// Puts it among those that were read, which all stand one place too low from there on.
void insert_map_address(const TensorMapArgs& map, FieldValues& values);
/// Lists of so many entries, one behind the other from a place on, have no more of them than a map of that
/// rank; a list of four, of strides, one less.
void limit_to_rank(uint32_t rank, std::initializer_list<uint32_t> lists, size_t first, FieldValues& values);

}  // namespace assay::suites
