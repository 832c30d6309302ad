// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

namespace assay::report {

/// Moves what an earlier run left in `folder` (results.db, its reports, the folder of cases) into a folder of
/// its own there, "earlier-" and when that run began, so that the files of one run stand together. Returns
/// that folder, or nothing where no run had been. Throws std::runtime_error with one sentence where another
/// run is writing there, or where results.db is no results file.
std::optional<std::filesystem::path> set_earlier_aside(const std::filesystem::path& folder);

}  // namespace assay::report
