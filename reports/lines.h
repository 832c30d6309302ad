// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace assay::report {

/// The results as GitHub-flavoured Markdown for a comment or a job summary, at most 60,000 bytes: a check
/// takes 65,535. Names and messages cannot add markup of their own. Throws std::runtime_error with one
/// sentence where the file cannot be read.
std::string markdown_text(const std::filesystem::path& db);
void write_markdown(const std::filesystem::path& db, const std::filesystem::path& file);

/// TAP version 13: one test point a property on a device, with what failed in a YAML block. Throws likewise.
std::string tap_text(const std::filesystem::path& db);

}  // namespace assay::report
