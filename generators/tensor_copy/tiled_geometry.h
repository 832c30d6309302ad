// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "reference/model/tensor_copy/case.h"
#include "reference/spec/tensor_map.h"

namespace assay::gen {

/// What a legal tiled map and a start coordinate touch, in one pass. Generators place tensors and windows by
/// it; it predicts nothing.
struct TiledGeometry {
  std::array<uint32_t, 5> count{};   ///< positions visited in a dimension
  std::array<uint32_t, 5> step{};    ///< traversal stride where it acts, else 1
  std::array<int64_t, 5> first{};    ///< first visited index
  std::array<int64_t, 5> last{};     ///< last visited index
  std::array<int64_t, 5> low_in{};   ///< lowest and highest visited index inside the tensor; high_in < low_in
  std::array<int64_t, 5> high_in{};  ///<   when none is
  uint64_t transaction_bytes = 0;
  uint64_t shared_bytes = 0;  ///< image in shared memory, padding between rows included
  bool any_inside = false;
  /// Bytes [touched_begin, touched_end) relative to the map's address hold every touched element, whole
  /// 16-byte pieces of dimension 0 included, by any reading of TMA-AMB-12. Empty when nothing is inside.
  /// Saturates at 2^63.
  uint64_t touched_begin = 0, touched_end = 0;
};
TiledGeometry geometry(const TensorMapArgs& map, const std::array<int32_t, 5>& coord);
/// The same in two steps, for a map that gets its strides between them: all but the touched bytes, and those.
TiledGeometry visited(const TensorMapArgs& map, const std::array<int32_t, 5>& coord);
void touch(const TensorMapArgs& map, const std::array<int32_t, 5>& coord, TiledGeometry& g);

/// Alignment of address and strides that the map's type and interleave ask for, bytes.
uint32_t address_granule(const TensorMapArgs& map);
/// Elements of dimension 0 that a box extent and a start coordinate come in (1 where anything goes).
uint32_t box_quantum(const spec::DataType& type, uint32_t interleave);
uint32_t coordinate_quantum(const spec::DataType& type, uint32_t interleave);
/// Bytes of `elements` of dimension 0 in global memory.
uint64_t inner_bytes(const spec::DataType& type, uint32_t interleave, uint64_t elements);

/// Shared bytes that the windows of a case leave untouched on both sides of the tile at least.
inline constexpr uint32_t guard_bytes = 128;

/// Bytes of shared memory that one lane's tile takes at most, whole lines of 128 bytes.
uint32_t image_bytes(const TensorCopyCase& c, const TiledGeometry& g);
/// Smallest window for the case's tile, by any reading of TMA-AMB-11 and TMA-AMB-12, and guards; swizzles
/// move bytes inside a 128-byte line only.
uint32_t smallest_window(const TensorCopyCase& c, const TiledGeometry& g);
/// Whether lanes that there are copy by a map that is none of another type, shape or alignment.
bool other_map_fits(const TensorCopyCase& c);
/// Smallest slot of a store for the touched bytes and guards; 0 when nothing reasonable holds them.
uint64_t smallest_slot(const TensorCopyCase& c, const TiledGeometry& g);

/// True when a case of any mode fits the rig: window limits, alignment of fills, touched bytes inside the
/// arena or the slot, lanes that lie apart.
bool fits_rig(const TensorCopyCase& c);
/// The same of a tiled copy of that geometry.
bool fits_rig(const TensorCopyCase& c, const TiledGeometry& g);

}  // namespace assay::gen
