// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

namespace assay::spec {

/// One table made of several, in their order.
template <typename Row, size_t... sizes>
constexpr auto joined(const std::array<Row, sizes>&... tables) {
  std::array<Row, (sizes + ...)> all{};
  size_t at = 0;
  const auto add = [&](const auto& rows) {
    for (const Row& row : rows) all[at++] = row;
  };
  (add(tables), ...);
  return all;
}

}  // namespace assay::spec
