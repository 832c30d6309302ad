// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "reference/model/tensor_map/arguments.h"

namespace assay::model {

/// A kind of tensor copy, and whether a map serves it: whether such a copy, well aligned and at the first box
/// of the tensor, moves its bytes.
struct MapUse {
  std::string_view copy;  ///< "tile load", "im2col::w load"
  std::string_view
      reduction;  ///< of a reduction: "add", ...; all of those of a copy stand one behind the other
  bool serves = false;
  /// What keeps it from it; nothing: the architecture has no such copy, or nothing says what it does.
  std::optional<spec::RuleIndex> rule;
  bool is_missing = false;         ///< the architecture has no such copy
  uint32_t transaction_bytes = 0;  ///< of a load that is served: what the mbarrier has to expect
};

/// Of a map whose arguments break no rule (broken_rules_of_map()).
std::vector<MapUse> uses_of_map(const MapArguments&, const spec::Readings&);

}  // namespace assay::model
