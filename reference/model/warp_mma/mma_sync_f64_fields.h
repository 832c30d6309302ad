// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/warp_mma/mma_sync_f64.h"

/// The members of mma.sync on f64.
namespace assay {

template <typename Pattern, typename Visit>
requires std::same_as<std::remove_const_t<Pattern>, DoublePattern>
void visit_fields(Pattern& p, const Visit& visit) {
  ASSAY_FIELD(visit, p, keep, .shows = as_hex);
  ASSAY_FIELD(visit, p, seed);
  ASSAY_FIELD(visit, p, set, .shows = as_hex);
  ASSAY_FIELD(visit, p, special, .shows = as_hex);
  ASSAY_FIELD(visit, p, special_rate, .unit = "of 256", .most = 256);
}

template <typename Mma, typename Visit>
requires std::same_as<std::remove_const_t<Mma>, MmaSyncF64Case>
void visit_fields(Mma& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, a_fill);
  ASSAY_FIELD(visit, c, b_fill);
  ASSAY_FIELD(visit, c, c_fill);
  ASSAY_FIELD(visit, c, k, .told = elsewhere);
  ASSAY_FIELD(visit, c, m, .told = elsewhere);
  ASSAY_FIELD(visit, c, tiles, .least = 1, .most = most_f64_tiles, .told = elsewhere);
}

}  // namespace assay
