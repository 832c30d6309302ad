// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

namespace assay::cli {

/// A rule, an open question or a property by its name, or nothing (docs/machine_readable.md).
std::optional<nlohmann::json> description(std::string_view name);

}  // namespace assay::cli
