// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace assay::report {

/// The report of a results file as write_html writes it: the same bytes whenever and wherever it is made.
/// Throws std::runtime_error with one sentence where the file cannot be read.
std::string html_text(const std::filesystem::path& db);

}  // namespace assay::report
