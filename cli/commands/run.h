// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "cli/terminal.h"
#include "suites/run/conductor.h"

/// What commands that run properties have in common.
namespace assay::cli {

/// The value of --seed, 0 to 2^64 - 1. Throws UsageError.
uint64_t seed_option(const std::string& text);

/// The value of --cases, "200" or "1e6". Throws UsageError.
uint64_t case_count(const std::string& text);

/// suites::run(), its progress cleared afterwards. What failed is not lost with the results file: where that
/// cannot be written, it is printed before NotRecorded is thrown on. A budget that is too short is a
/// UsageError.
suites::RunResult run_to_its_end(const suites::RunOptions& wanted, LiveLine& line);

}  // namespace assay::cli
