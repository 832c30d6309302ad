// SPDX-License-Identifier: Apache-2.0
#include "reference/model/case_fields.h"
#include "reference/model/case_schema.h"
#include "reference/model/mma/fields.h"
#include "reference/model/pipeline/gemm.h"

namespace assay::model {

nlohmann::json to_json(const GemmCase& c) {
  return fields::written(c);
}

GemmCase gemm_case_from_json(const nlohmann::json& from) {
  const GemmCase c = fields::read_case<GemmCase>(from);
  if (!fits_rig(c))
    throw std::runtime_error(
        "the pipeline has no such product: tile_n 256 needs cta_group 2 and neither scales nor a sparse A, "
        "with which 128 needs cta_group 2; k must be even with 4-bit types, a multiple of 4 with a sparse A "
        "and of 128 where a_type and b_type have fewer than 8 bits; these two must be 0 but with types 2 and "
        "3, of which they are 0, 1, 3, 4 or 5; and asking is for launch_control alone.");
  return c;
}

template nlohmann::json case_schema<GemmCase>();

}  // namespace assay::model
