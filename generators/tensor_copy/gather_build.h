// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/tensor_copy/gather.h"

namespace assay::gen {

/// What a legal copy of four rows should look like.
struct GatherWish {
  GatherCell cell;
  CopyDirection direction = CopyDirection::load;
  uint32_t cluster_size = 1;
  uint32_t rarity = 1;  ///< of a tile at a border of shared memory (borders.h)
};

/// A legal case in the wished cell that fits the rig (false: none found in a bounded number of tries; `made`
/// is then a legal case of a neighbouring cell, or none at all).
bool build_gather(Random& random, const GatherWish& wish, TensorCopyCase& made);

}  // namespace assay::gen
