// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

namespace assay::report {

/// Stands in the signature of a case that demands nothing between what the device did and the rules that the
/// case breaks: "done, D as it was, where IDESC-R05 is broken".
inline constexpr std::string_view open_result_where = ", where ";

/// What the device did.
constexpr std::string_view without_rules(std::string_view open_result) {
  return open_result.substr(0, std::min(open_result.find(open_result_where), open_result.size()));
}

}  // namespace assay::report
