// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay::report {

/// A results file as one line of JSON (docs/machine_readable.md says each member): run, devices with their
/// properties and failure signatures, readings, findings, verdict and exit code. Throws std::runtime_error
/// with one sentence where the file cannot be read.
std::string results_json(const std::filesystem::path& db);

/// What trend_of() tells, as one line of JSON: an array of nights in the order of their start.
std::string trend_json(const std::vector<std::filesystem::path>& files);

}  // namespace assay::report
