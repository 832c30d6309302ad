// SPDX-License-Identifier: Apache-2.0
#include "cli/tools/named_rows.h"

#include "cli/command_line.h"
#include "reference/spec/near_names.h"

namespace assay::cli {

std::string listed(std::span<const std::string_view> names) {
  std::string all;
  for (const std::string_view one : names) all += (all.empty() ? "" : " ") + std::string(one);
  return all;
}

void refuse_name(const std::string& option, const std::string& name, const std::string& one_of,
                 const std::string& all_of, std::span<const std::string_view> names) {
  throw UsageError(option, "'" + name + "' is not " + one_of + "; the " + all_of + " are " + listed(names) +
                               spec::did_you_mean(name, names));
}

}  // namespace assay::cli
