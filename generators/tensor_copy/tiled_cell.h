// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "generators/tensor_copy/tiled_cases.h"
#include "generators/tensor_copy/tiled_geometry.h"
#include "reference/spec/arch.h"
#include "reference/spec/tensor_map.h"

namespace assay::gen {

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

}  // namespace assay::gen
