// SPDX-License-Identifier: Apache-2.0
#include "reference/model/tensor_copy/gather_json.h"

#include "reference/model/case_fields.h"
#include "reference/model/case_schema_instance.h"
#include "reference/model/tensor_copy/gather_fields.h"
#include "reference/model/tensor_copy/tiled_fields.h"

namespace assay::model {

nlohmann::json to_json(const GatherCase& copy) {
  return fields::written(copy);
}
GatherCase gather_case_from_json(const nlohmann::json& from) {
  return fields::read_case<GatherCase>(from);
}

template nlohmann::json case_schema<GatherCase>();

}  // namespace assay::model
