// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string_view>

namespace assay::forms {

/// Opcodes that are needed of each family; of one that is not listed none is.
using Needed = std::map<std::string_view, std::set<uint32_t>>;

}  // namespace assay::forms
