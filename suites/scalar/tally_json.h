// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "suites/scalar/compare.h"

namespace assay::suites::scalar {

nlohmann::json to_json(const Tally& tally);
Tally tally_from_json(const nlohmann::json& json);

}  // namespace assay::suites::scalar
