// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/random.h"
#include "generators/tensor_copy/tiled_cell.h"

namespace assay::gen {

struct StrideWish {
  StrideClass wanted;
  bool no_overlap;     ///< stores: no two visited elements may share a byte
  int zero_dimension;  ///< the dimension of stride 0 when wanted == zero
  bool huge;           ///< one stride up to 2^40 where index 0 alone is touched
};

/// Strides of class `wanted` for the map's dimensions; `g` says what is visited (its byte range is not used).
/// False when these dimensions do not allow the class.
bool assign_strides(Random& random, const StrideWish& wish, const TiledGeometry& g, TensorMapArgs& map);

}  // namespace assay::gen
