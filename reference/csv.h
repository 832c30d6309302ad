// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct CsvRow {
  int line = 0;  ///< 1-based line of its first character
  std::vector<std::string> cells;
};

/// Comma-separated text, cells in double quotes may hold commas, doubled quotes and line ends. Empty lines
/// are left out.
std::vector<CsvRow> parse_csv(std::string_view text);

}  // namespace assay
