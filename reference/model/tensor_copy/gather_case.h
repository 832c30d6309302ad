// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

#include "reference/model/tensor_copy/tiled_case.h"

namespace assay {

/// One load by tile::gather4 or one store by tile::scatter4: plain data, serialises to JSON without loss.
struct GatherCase {
  /// As of a tiled copy; `coord` holds the five coordinates of the instruction, which has rank 2, and the box
  /// is that of one row. What it has of .cta_group stays unset.
  TiledCase tile;
  uint32_t cta_group = 0;     ///< of a load in a cluster: .cta_group::1 or ::2; 0: the word is left out
  bool peer_barrier = false;  ///< the mbarrier operand is that of the issuer's peer in its pair of CTAs; of a
                              ///< load to one CTA, of that CTA's peer
  bool unicast = false;       ///< no multicast, but a load to the one CTA of the mask
  auto operator<=>(const GatherCase&) const = default;
};

/// The copy of one of its lanes.
inline GatherCase of_lane(const GatherCase& copy, uint32_t lane) {
  GatherCase one = copy;
  one.tile = of_lane(copy.tile, lane);
  return one;
}

/// Rows of one instruction.
inline constexpr uint32_t gathered_rows = 4;

}  // namespace assay
