// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generators/random.h"
#include "generators/tensor_copy/tiled_cases.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/spec/arch.h"
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

/// Which borders of the tensor the visited elements of a box cross.
enum class Edge : uint8_t {
  inside,   ///< every element in bounds
  lower,    ///< some below index 0, none above
  upper,    ///< some at or above D, none below
  both,     ///< both in one box
  outside,  ///< nothing in bounds
  far,      ///< a start coordinate of magnitude 2^30 or more
};
inline constexpr std::array<std::string_view, 6> edge_names{"inside", "lower",   "upper",
                                                            "both",   "outside", "far"};

/// How the strides relate to the extents below them.
enum class StrideClass : uint8_t { dense, padded, overlapping, descending, zero };
inline constexpr std::array<std::string_view, 5> stride_names{"dense", "padded", "overlapping", "descending",
                                                              "zero"};

/// A coverage cell of tiled copies: type x rank x interleave x swizzle x edges crossed x stride class, the
/// last one with and without traversal strides.
struct TiledCell {
  uint8_t type = 0;        ///< host value
  uint8_t rank = 1;        ///< 1..5
  uint8_t interleave = 0;  ///< host value
  uint8_t swizzle = 0;     ///< row of spec::swizzles
  Edge edge = Edge::inside;
  StrideClass strides = StrideClass::dense;
  bool stepped = false;  ///< a traversal stride above 1 acts
  auto operator<=>(const TiledCell&) const = default;
};
inline constexpr uint32_t tiled_cell_count = uint32_t{spec::data_types.size()} * 5 * 3 * 8 * 6 * 5 * 2;
inline constexpr std::string_view tiled_cell_dimension =
    "type x rank x interleave x swizzle x edges x strides";

uint32_t index_of(const TiledCell& cell);
TiledCell tiled_cell(uint32_t index);
/// "bf16/3/none/128B/upper/dense" or ".../dense+steps".
std::string name_of(const TiledCell& cell);

/// The cell that a legal case lies in, from the case alone.
TiledCell classify(const TensorCopyCase& c, const TiledGeometry& g);

/// Cells that some legal case of the architecture reaches, in ascending order. Left out: packed types under
/// interleave (no document defines their slices), stores with negative starts (they fault).
std::span<const uint32_t> reachable_cells(spec::Arch arch, CopyDirection direction);
/// Those of one type among cells in ascending order.
std::span<const uint32_t> cells_of_type(std::span<const uint32_t> cells, uint32_t type);
/// The same cells in a fixed shuffled order, so that the first hundred differ in everything.
std::span<const uint32_t> shuffled_cells(spec::Arch arch, CopyDirection direction);

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
/// `geometry`, if given, gets its geometry.
bool build_tiled(Random& random, const TiledWish& wish, TensorCopyCase& made,
                 TiledGeometry* geometry = nullptr);

/// Another place for what build_tiled() made, whose geometry is `g`: address, window, slot, fills, and the
/// modes of the map that nothing else depends on. False where there is none: some of them have changed.
bool place_again(Random& random, const TiledWish& wish, const TiledGeometry& g, TensorCopyCase& made);

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
