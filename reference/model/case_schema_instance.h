// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reference/model/case_json.h"
#include "reference/model/case_schema.h"

/// For files that hold a visit_fields and instantiate case_schema beside it. Whoever asks for a schema
/// includes case_json.h alone, where a visit_fields may be out of sight.
namespace assay::model {

template <typename Case>
nlohmann::json case_schema() {
  return fields::schema_of(Case());
}

}  // namespace assay::model
