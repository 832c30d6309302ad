// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>
#include <vector>

#include "generators/tensor_copy/tiled_cases.h"

namespace assay::gen {

/// The coverage cells, numbers below `count`, that cases of an architecture and a direction can have.
template <auto is_reachable, uint32_t count>
std::span<const uint32_t> reachable_in(spec::Arch arch, CopyDirection direction) {
  using Lists = std::array<std::array<std::vector<uint32_t>, 2>, spec::arch_count>;
  static const Lists lists = [] {
    Lists made;
    for (int a = 0; a < spec::arch_count; ++a)
      for (const uint32_t d : {0, 1})
        for (uint32_t index = 0; index < count; ++index)
          if (is_reachable(index, static_cast<spec::Arch>(a), static_cast<CopyDirection>(d)))
            made[a][d].push_back(index);
    return made;
  }();
  return lists[static_cast<int>(arch)][static_cast<uint32_t>(direction)];
}

/// Any of these cells; the first indexes have each once, neighbours far apart. `step`: a prime that divides
/// no number of cells.
inline uint32_t pick_cell(const CaseId& id, Random& random, std::span<const uint32_t> cells, uint64_t step) {
  return cells[id.index < cells.size() ? id.index * step % cells.size()
                                       : random.below(static_cast<uint32_t>(cells.size()))];
}

}  // namespace assay::gen
