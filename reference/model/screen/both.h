// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <concepts>
#include <type_traits>

#include "reference/model/screen/chain.h"
#include "reference/model/screen/tiles.h"

namespace assay {

/// Chains of products and tensor copies that every multiprocessor does at the same time. Plain data,
/// serialises to JSON without loss.
struct ScreenBothCase {
  ScreenCase chains;
  ScreenTilesCase tiles;
  auto operator<=>(const ScreenBothCase&) const = default;
};

template <typename Screen, typename Visit>
requires std::same_as<std::remove_const_t<Screen>, ScreenBothCase>
void visit_fields(Screen& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, chains);
  ASSAY_FIELD(visit, c, tiles);
}

}  // namespace assay
