// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

/// "4096" or "0x1000"; nothing for any other text, or above 64 bits.
std::optional<uint64_t> parse_number(std::string_view text);

/// "128,64": at least one number. Throws UsageError that names the option.
std::vector<uint64_t> parse_numbers(const std::string& option, std::string_view text);
/// The same of "-1,0".
std::vector<int64_t> parse_signed_numbers(const std::string& option, std::string_view text);

}  // namespace assay::cli
