// SPDX-License-Identifier: Apache-2.0
#include "reference/model/screen/both.h"

#include <nlohmann/json.hpp>

#include "reference/model/case_fields.h"
#include "reference/model/case_json_instance.h"

namespace assay::model {

ASSAY_CASE_JSON(ScreenBothCase);

}  // namespace assay::model
