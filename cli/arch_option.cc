// SPDX-License-Identifier: Apache-2.0
#include "cli/arch_option.h"

#include "cli/command_line.h"

namespace assay::cli {

spec::Arch arch_option(const std::string& option, const std::string& value) {
  const auto arch = spec::parse_arch(value);
  if (arch) return *arch;
  throw UsageError(option, "unknown architecture '" + value + "'; expected sm_90, sm_100, sm_103 or sm_120");
}

std::vector<std::string_view> arch_names() {
  std::vector<std::string_view> names;
  for (int i = 0; i < spec::arch_count; ++i) names.emplace_back(spec::name(static_cast<spec::Arch>(i)));
  return names;
}

}  // namespace assay::cli
