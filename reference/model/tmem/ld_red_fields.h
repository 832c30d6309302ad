// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/mma/operand_fields.h"
#include "reference/model/rig.h"
#include "reference/model/spelling.h"
#include "reference/model/tmem/ld_red_case.h"

/// The members of tcgen05.ld.red.
namespace assay {

inline constexpr uint32_t reduction_counts[] = {2, 4, 8, 16, 32, 64, 128};

template <typename Load, typename Visit>
requires std::same_as<std::remove_const_t<Load>, TmemLdRedCase>
void visit_fields(Load& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, alloc_columns, .unit = "columns", .values = powers_from_32, .called = "allocation");
  ASSAY_FIELD(visit, c, column, .most = 511, .told = elsewhere);
  ASSAY_FIELD(visit, c, count, .values = reduction_counts, .told = elsewhere);
  ASSAY_FIELD(visit, c, d_fill);
  ASSAY_FIELD(visit, c, is_split, .told = elsewhere);
  ASSAY_FIELD(visit, c, lane, .values = half_lanes, .told = elsewhere);
  ASSAY_FIELD(visit, c, operation, .most = register_reductions.size() - 1, .told = elsewhere);
}

}  // namespace assay
