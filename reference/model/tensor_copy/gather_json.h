// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "reference/model/tensor_copy/gather_case.h"

namespace assay::model {

nlohmann::json to_json(const GatherCase&);
/// Throws std::runtime_error with one sentence.
GatherCase gather_case_from_json(const nlohmann::json&);

}  // namespace assay::model
