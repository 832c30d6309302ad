// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/warp_mma/case.h"

/// The members of a sparse A in registers, for case_fields.h.
namespace assay {

// Beside the type, where the templates of case_fields.h find them.
template <typename Sparse, typename Visit>
requires std::same_as<std::remove_const_t<Sparse>, SparseA>
void visit_fields(Sparse& s, const Visit& visit) {
  ASSAY_FIELD(visit, s, codes, .shows = as_hex);
  ASSAY_FIELD(visit, s, is_known);
  ASSAY_FIELD(visit, s, of_quad, .shows = as_hex);
  ASSAY_FIELD(visit, s, ordered);
  ASSAY_FIELD(visit, s, present);
  ASSAY_FIELD(visit, s, seed, .shows = as_hex);
  ASSAY_FIELD(visit, s, selector, .most = 3);
  ASSAY_FIELD(visit, s, strange_codes, .shows = as_hex);
  ASSAY_FIELD(visit, s, strange_rate, .unit = "of 256", .most = 256);
}

}  // namespace assay
