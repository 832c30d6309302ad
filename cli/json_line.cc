// SPDX-License-Identifier: Apache-2.0
#include "cli/json_line.h"

#include <iostream>
#include <nlohmann/json.hpp>

namespace assay::cli {

void print_json(const nlohmann::json& document) {
  std::cout << document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
}

}  // namespace assay::cli
