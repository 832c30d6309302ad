// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/mma/operand_fields.h"
#include "reference/model/pipeline/gemm.h"
#include "reference/model/pipeline/gemm_case.h"

/// The members of products by the pipeline.
namespace assay {

inline constexpr uint32_t gemm_tiles[] = {32, 64, 128, 256};

template <typename Gemm, typename Visit>
requires std::same_as<std::remove_const_t<Gemm>, GemmCase>
void visit_fields(Gemm& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, a_fill);
  ASSAY_FIELD(visit, c, a_gap, .most = 63, .told = elsewhere);
  ASSAY_FIELD(visit, c, a_scale_fill);
  ASSAY_FIELD(visit, c, a_type, .most = 5, .told = elsewhere);
  ASSAY_FIELD(visit, c, asking, .most = gemm_ways_to_ask - 1, .told = elsewhere);
  ASSAY_FIELD(visit, c, b_fill);
  ASSAY_FIELD(visit, c, b_gap, .most = 63, .told = elsewhere);
  ASSAY_FIELD(visit, c, b_scale_fill);
  ASSAY_FIELD(visit, c, b_type, .most = 5, .told = elsewhere);
  ASSAY_FIELD(visit, c, c_fill);
  ASSAY_FIELD(visit, c, cta_group, .values = cta_groups, .told = elsewhere);
  ASSAY_FIELD(visit, c, d_gap, .most = 63, .told = elsewhere);
  ASSAY_FIELD(visit, c, grouped, .told = elsewhere);
  ASSAY_FIELD(visit, c, k, .unit = "elements", .least = 1, .most = model::most_gemm_extent,
              .told = elsewhere);
  ASSAY_FIELD(visit, c, launch_control, .told = elsewhere);
  ASSAY_FIELD(visit, c, m, .unit = "elements", .least = 1, .most = model::most_gemm_extent,
              .told = elsewhere);
  ASSAY_FIELD(visit, c, n, .unit = "elements", .least = 1, .most = model::most_gemm_extent,
              .told = elsewhere);
  ASSAY_FIELD(visit, c, reduces, .told = elsewhere);
  ASSAY_FIELD(visit, c, tile_n, .unit = "columns", .values = gemm_tiles, .told = elsewhere);
  ASSAY_FIELD(visit, c, type, .most = model::gemm_types - 1, .told = elsewhere);
}

}  // namespace assay
