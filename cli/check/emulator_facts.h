// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/check/findings.h"

namespace assay::cli::check {

/// Folder with the libraries that are put in the place of the CUDA driver and runtime. Throws DeviceError
/// with one sentence if one of them is not there.
std::string emulated_libraries();

/// The clauses that the emulator's strict mode checks. Throws DeviceError.
std::vector<Clause> emulator_clauses();

/// Everything in a PTX text that a launch would be refused for, as lines of a report. Throws DeviceError.
std::string refusals_of(const std::string& ptx, const std::string& settings);

}  // namespace assay::cli::check
