// SPDX-License-Identifier: Apache-2.0
#include "reference/model/case_fields.h"
#include "reference/model/case_schema_instance.h"
#include "reference/model/mma/fields.h"
#include "reference/model/mma/operand_fields.h"

namespace assay::model {

nlohmann::json to_json(const Tcgen05MmaCase& c) {
  return fields::written(c);
}
nlohmann::json to_json(const TmemAccessCase& c) {
  return fields::written(c);
}
Tcgen05MmaCase tcgen05_mma_case_from_json(const nlohmann::json& from) {
  return fields::read_case<Tcgen05MmaCase>(from);
}
TmemAccessCase tmem_access_case_from_json(const nlohmann::json& from) {
  return fields::read_case<TmemAccessCase>(from);
}

template nlohmann::json case_schema<Tcgen05MmaCase>();
template nlohmann::json case_schema<TmemAccessCase>();

}  // namespace assay::model
