#pragma once

#include <concepts>
#include <type_traits>

#include "reference/model/warp_mma_case.h"

/// The members of a sparse A in registers, for case_fields.h.
namespace assay {

// Beside the type, where the templates of case_fields.h find them.
template <typename Sparse, typename Visit>
requires std::same_as<std::remove_const_t<Sparse>, SparseA>
void visit_fields(Sparse& s, const Visit& visit) {
  visit("codes", s.codes);
  visit("is_known", s.is_known);
  visit("of_quad", s.of_quad);
  visit("ordered", s.ordered);
  visit("present", s.present);
  visit("seed", s.seed);
  visit("selector", s.selector);
  visit("strange_codes", s.strange_codes);
  visit("strange_rate", s.strange_rate);
}

}  // namespace assay
