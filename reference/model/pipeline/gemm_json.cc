// SPDX-License-Identifier: Apache-2.0
#include "reference/model/case_fields.h"
#include "reference/model/case_json_instance.h"
#include "reference/model/mma/fields.h"
#include "reference/model/pipeline/gemm.h"

namespace assay {

static std::string what_is_wrong(const GemmCase& c) {
  if (model::fits_rig(c)) return {};
  return "the pipeline has no such product: tile_n 256 needs cta_group 2 and neither scales nor a sparse A, "
         "with which 128 needs cta_group 2; k must be even with 4-bit types, a multiple of 4 with a sparse A "
         "and of 128 where a_type and b_type have fewer than 8 bits; these two must be 0 but with types 2 "
         "and 3, of which they are 0, 1, 3, 4 or 5; and asking is for launch_control alone.";
}

}  // namespace assay

namespace assay::model {

ASSAY_CASE_JSON(GemmCase);

}  // namespace assay::model
