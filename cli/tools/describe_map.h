// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace assay::cli {

/// Prints the map that a word stands for (map_argument.h): its fields, the rules that it breaks, a picture,
/// the copies that it serves. Returns the exit code.
int describe_map(const std::string& word, const std::string& architecture, bool as_json);

}  // namespace assay::cli
