// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace assay::cli {

/// Prints a document as one line on standard output: all that a command with --json prints there.
void print_json(const nlohmann::json&);

}  // namespace assay::cli
