// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/model/tensor_copy/tiled_shape.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {

/// Where an element of a tile is in shared memory, in bytes from where the swizzle pattern starts (an address
/// that is a multiple of 1024).
struct TilePlace {
  uint64_t linear = 0;  ///< as if nothing were swizzled
  uint64_t byte = 0;    ///< where it is kept
  int bit = 0;          ///< lowest bit of the element in that byte
};

/// Of row `row` of the image, counted through all dimensions above 0, the element `element`. `operand`: the
/// address of the tile. Not of an interleaved map, whose dimension 0 counts slices.
TilePlace place_in_tile(const TiledShape&, const spec::DataType&, uint32_t operand, uint64_t row,
                        uint32_t element);

}  // namespace assay::model
