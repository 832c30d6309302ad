// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/random.h"
#include "generators/tensor_copy/tiled_cell.h"
#include "generators/tensor_copy/tiled_geometry.h"

namespace assay::gen {

/// A corner of the case space that a random case rarely meets by itself.
enum class Twist : uint8_t {
  none,
  largest_box,     ///< a box extent of 256 where it fits
  narrow_box,      ///< inner box of one 16-byte piece
  huge_stride,     ///< a stride up to 2^40 that no touched element multiplies
  huge_dimension,  ///< D = 2^31, the largest usable extent, in the last dimension
  exact_fit,       ///< no slack: tensor as small as the box's edge class lets it be
  far_start,       ///< visited indexes around 2^15, 2^16 or 2^24, or of any magnitude up to there
  long_extent,     ///< an extent of such a size
};
inline constexpr int twist_count = 8;

/// What a legal tiled copy should look like. The tile's payload aims at tile_bytes.
struct TiledWish {
  TiledCell cell;
  CopyDirection direction = CopyDirection::load;
  Twist twist = Twist::none;
  uint64_t tile_bytes = 2048;
  uint32_t cluster_size = 1;  ///< windows in the output: 1, 2, 4, 8
  uint32_t rarity = 1;        ///< of a tile at a border of shared memory (borders.h)
};

/// A legal case in exactly the wished cell (false: none found in a bounded number of tries; `made` is then a
/// legal case of a neighbouring cell). Fits the rig.
bool build_tiled(Random& random, const TiledWish& wish, TensorCopyCase& made);

/// Another place for what build_tiled() made, whose geometry is `g`: address, window, slot, fills, and the
/// modes of the map that nothing else depends on. Where there is none, that of before stays.
void place_again(Random& random, const TiledWish& wish, const TiledGeometry& g, TensorCopyCase& made);

/// Payload bytes of case `index` of a property: log-uniform from 128 bytes to 4 KiB, so that half of the
/// copies move less than 1 KiB, with a rare tail up to the largest boxes.
uint64_t tile_bytes_wish(Random& random, uint64_t index);

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
