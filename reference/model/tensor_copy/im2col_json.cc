// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/im2col_json.h"

#include "reference/model/case_fields.h"
#include "reference/model/case_schema_instance.h"
#include "reference/model/rig.h"
#include "reference/model/shown_codes.h"
#include "reference/model/spelling.h"
#include "reference/model/tensor_copy/im2col_fields.h"

namespace assay::model {

nlohmann::json to_json(const EncodeIm2colCase& call) {
  return fields::written(call);
}
nlohmann::json to_json(const Im2colCase& copy) {
  return fields::written(copy);
}
Im2colCase im2col_case_from_json(const nlohmann::json& from) {
  return fields::read_case<Im2colCase>(from);
}
EncodeIm2colCase encode_im2col_case_from_json(const nlohmann::json& from) {
  return fields::read_case<EncodeIm2colCase>(from);
}

template nlohmann::json case_schema<EncodeIm2colCase>();
template nlohmann::json case_schema<Im2colCase>();

}  // namespace assay::model
