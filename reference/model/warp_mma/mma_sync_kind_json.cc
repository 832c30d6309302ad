// SPDX-License-Identifier: Apache-2.0
#include "reference/model/case_fields.h"
#include "reference/model/case_schema_instance.h"
#include "reference/model/warp_mma/mma_sync_kind_fields.h"

namespace assay::model {

nlohmann::json to_json(const MmaSyncKindCase& c) {
  return fields::written(c);
}
MmaSyncKindCase mma_sync_kind_case_from_json(const nlohmann::json& from) {
  const auto c = fields::read_case<MmaSyncKindCase>(from);
  if (const std::string wrong = wrong_with(c); !wrong.empty()) throw std::runtime_error(wrong);
  return c;
}

template nlohmann::json case_schema<MmaSyncKindCase>();

}  // namespace assay::model
