// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reference/spec/arch.h"

namespace assay::cli {

/// The architecture that the value of an option names: "sm_100", "sm_100a". Throws UsageError.
spec::Arch arch_option(const std::string& option, const std::string& value);

/// All of them.
std::vector<std::string_view> arch_names();

}  // namespace assay::cli
