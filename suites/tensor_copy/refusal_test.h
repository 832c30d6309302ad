// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "suites/run/family.h"

namespace assay::suites {

/// Why the family does not take the case; empty: it does.
inline std::string refusal(const Family& family, const nlohmann::json& json) {
  try {
    (void)family.from_json(json);
    return {};
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

}  // namespace assay::suites
