// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

/// What the rows of a table are called.
template <typename Rows>
std::vector<std::string_view> names_of(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

/// "none 32B 64B".
std::string listed(std::span<const std::string_view> names);

/// Throws UsageError: "'x' is not a tensor map swizzle; the swizzles are none 32B 64B; did you mean ...?"
[[noreturn]] void refuse_name(const std::string& option, const std::string& name, const std::string& one_of,
                              const std::string& all_of, std::span<const std::string_view> names);

}  // namespace assay::cli
