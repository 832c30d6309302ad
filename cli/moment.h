// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>

namespace assay::cli {

/// "500ms", "60s", "10m", "2h". Throws UsageError that names the option.
std::chrono::milliseconds duration(const std::string& text, const std::string& option);

/// "06:30" (local time, the next one), or "2026-11-22T06:30[:00][Z]" (local, or UTC with Z). Throws
/// UsageError.
std::chrono::system_clock::time_point moment(const std::string& text, const std::string& option,
                                             std::chrono::system_clock::time_point now);

}  // namespace assay::cli
