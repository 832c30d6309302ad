// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "reference/layout/swizzle.h"
#include "reference/model/end.h"
#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_copy/element_values.h"
#include "reference/spec/question.h"
#include "reference/spec/rule.h"
#include "reference/spec/tensor_map.h"

namespace assay::model {

/// How the elements of dimension 0 sit in global and in shared memory.
enum class Packing : uint8_t {
  plain,      ///< the same bytes in both
  padded,     ///< a group has undefined bytes after its data in shared memory (b4x16_p64, b6x16_p32)
  byte_each,  ///< a group is one byte an element in shared memory, of which 6 bits are stored (b6p2x16)
};

/// A tiled copy with everything said by its arguments worked out under the readings. Dimension 0 counts
/// units: elements, groups of packed elements, or slices of an interleaved map. A unit is the least that is
/// in or out of bounds.
struct TiledShape {
  int rank = 0;
  bool interleaved = false;
  Packing packing = Packing::plain;
  uint32_t unit_global = 0;                         ///< bytes
  uint32_t unit_shared = 0;                         ///< bytes, padding included
  std::array<int64_t, 5> start{};                   ///< coordinates, dimension 0 in units
  std::array<int64_t, 5> extent = {1, 1, 1, 1, 1};  ///< of the tensor, dimension 0 in units
  std::array<int64_t, 5> step = {1, 1, 1, 1, 1};    ///< traversal strides that act
  std::array<uint64_t, 5> stride{};                 ///< bytes; [0] is unit_global
  std::array<uint32_t, 5> count = {1, 1, 1, 1,
                                   1};  ///< units or elements that the copy visits; 1 for unused dimensions
  std::array<uint32_t, 5> first{};      ///< first index into count that is in bounds
  std::array<uint32_t, 5> end = {1, 1, 1, 1, 1};  ///< one past the last such index; first == end if none
  uint32_t inner = 0;                             ///< bytes of a row in shared memory
  uint32_t pitch = 0;                             ///< bytes from row to row in shared memory
  uint64_t rows = 0;
  uint64_t shared_bytes = 0;  ///< extent in shared memory from the operand on, gaps included
  SwizzlePattern swizzle;

  // Not constexpr: g++ would clear the whole with one slow instruction before it sets the members.
  TiledShape() {}

  /// Where byte `byte` of a row would be without swizzle, for a tile at the address `operand`.
  constexpr uint64_t linear(uint64_t operand, uint64_t row, uint64_t byte) const {
    return operand + row * pitch + byte;
  }
  bool any_in_bounds() const {
    for (int i = 0; i < rank; ++i)
      if (first[i] >= end[i]) return false;
    return true;
  }
  bool all_in_bounds() const {
    for (int i = 0; i < rank; ++i)
      if (first[i] != 0 || end[i] != count[i]) return false;
    return true;
  }
};

/// `copy` has a legal map. Adds the rules that the shape exercises.
TiledShape shape_of(const TensorCopyCase& copy, const spec::Readings&, spec::RuleSet& rules);
/// The shape alone.
TiledShape shape_of(const TensorCopyCase& copy, const spec::Readings&);

/// What tiled copies by one lane have in common whose maps differ in their place alone, which follow each
/// other.
struct KeptTile {
  bool is_legal = false;  ///< the map, wherever it lies; of one that is not nothing else is known
  End end = End::done;    ///< of the issue, where the operand is aligned
  spec::RuleSet rules_of_issue, rules_of_shape;
  TiledShape shape;
  /// Of the readings, for the legality, the issue and the shape.
  spec::Readings::Looks for_map{}, for_issue{}, for_shape{};
};
/// Kept by the thread until it has asked for two others. Looks at what the legality of the map depends on.
const KeptTile& kept_tile(const TensorCopyCase&, const spec::Readings&);
/// Its shape, for a map that is legal. Adds the rules that it exercises.
const TiledShape& shape_of(const KeptTile&, const TensorCopyCase&, const spec::Readings&,
                           spec::RuleSet& rules);

/// Bytes that the copy signals to each receiving barrier; 0xffffffff if they do not fit 32 bits (X-02 lets
/// such boxes through the encoder).
uint32_t transaction_bytes(const TensorCopyCase& copy, const TiledShape&, const spec::Readings&);

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

/// How bytes change on their way.
struct Transfer {
  uint64_t base = 0;         ///< of the tensor, in the memory that `global` is
  uint32_t tile_offset = 0;  ///< of the shared operand in the window; the window starts on a multiple of 1024
  uint64_t fill = 0;         ///< 8 bytes of fill pattern; elements of at most 8 bytes are aligned in it
  Tf32Conversion convert;
  bool clips_pieces = true;  ///< stores: dimension 0 ends at a whole 16-byte piece (X-17)
};

/// The least range of global memory, relative to where base is counted from, that the in-bounds units lie in;
/// for a store that clips pieces, those pieces. False: it does not fit 64 bits.
bool global_range(const TiledShape&, const Transfer&, bool store, uint64_t& begin, uint64_t& end);

/// Rows that follow each other in shared memory, equally far apart in global memory: all of them in or all
/// out of bounds above dimension 0.
struct RowRun {
  bool inside;
  uint32_t rows;
  uint32_t shared;   ///< offset of the first row in the window
  uint64_t global;   ///< address of unit 0 of the first row
  uint64_t advance;  ///< from row to row in global memory
};

/// Loads the box row by row. Everything lies inside the spans. `defined` (or empty) gets 0 for bytes of
/// padding; the caller has set it to 0xff.
void load_rows(const TiledShape&, const Transfer&, std::span<const std::byte> global,
               std::span<std::byte> window, std::span<std::byte> defined);
/// The same of these rows; of the shape only what is said of dimension 0, of a row and of the swizzle is
/// looked at.
void load_runs(std::span<const RowRun>, const TiledShape&, const Transfer&, std::span<const std::byte> global,
               std::span<std::byte> window, std::span<std::byte> defined);

/// Stores the box row by row. `written` (or empty) counts per byte of `global` how often it is written: 0, 1,
/// 2 = more.
void store_rows(const TiledShape&, const Transfer&, std::span<const std::byte> window,
                std::span<std::byte> global, std::span<std::byte> written);
/// The same of these rows, as load_runs().
void store_runs(std::span<const RowRun>, const TiledShape&, const Transfer&,
                std::span<const std::byte> window, std::span<std::byte> global, std::span<std::byte> written);

}  // namespace assay::model
