// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace assay::report {

/// Writes a file that a reader sees either whole or as it was before: a temporary file beside it, flushed to
/// the medium, then renamed over it. Throws std::runtime_error with one sentence; the old file then is
/// untouched.
void write_whole_file(const std::filesystem::path& file, std::string_view content);

/// Throws std::runtime_error with one sentence if the file cannot be read.
std::string read_whole_file(const std::filesystem::path& file);

}  // namespace assay::report
