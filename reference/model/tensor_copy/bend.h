// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_copy/copy.h"

namespace assay::model {

/// The steps of the definition of a tiled copy (tiled_slow.h) that a bend may replace. Each gets what the
/// rules say and gives what is taken in its place; null: as the rules say. Dimension 0 counts elements, or
/// slices of an interleaved map; bytes and addresses are those of the case.
struct TiledBend {
  /// Elements that the copy visits in a dimension.
  int64_t (*count)(const TensorCopyCase&, int dimension, int64_t right) = nullptr;
  /// The coordinate of the instruction.
  int64_t (*start)(const TensorCopyCase&, int dimension, int64_t right) = nullptr;
  /// How far the visit of that number lies from the start.
  int64_t (*offset)(const TensorCopyCase&, int dimension, int64_t visit, int64_t right) = nullptr;
  bool (*inside)(const TensorCopyCase&, int dimension, int64_t index, bool right) = nullptr;
  uint64_t (*stride)(const TensorCopyCase&, int dimension, uint64_t right) = nullptr;
  /// Of the first byte of an element in global memory, from the first of the tensor on.
  int64_t (*distance)(const TensorCopyCase&, int64_t right) = nullptr;
  /// The number of a row in shared memory, from its indexes of dimensions 1 to 4 and their counts.
  int64_t (*row)(const int64_t (&visits)[4], const int64_t (&counts)[4], int64_t right) = nullptr;
  /// Bytes from row to row in shared memory.
  uint32_t (*pitch)(const TensorCopyCase&, uint32_t row_bytes, uint32_t right) = nullptr;
  /// Bytes from one group of packed elements, or one slice, to the next in shared memory.
  uint32_t (*group)(const TensorCopyCase&, uint32_t data_bytes, uint32_t right) = nullptr;
  /// Where a byte is kept: the swizzle.
  uint32_t (*place)(const TensorCopyCase&, uint32_t address, uint32_t right) = nullptr;
  /// Byte of the fill, from the first of the element on.
  uint8_t (*fill)(const TensorCopyCase&, uint32_t byte, uint8_t right) = nullptr;
  /// A 32-bit word that a load brings.
  uint32_t (*word)(const TensorCopyCase&, uint32_t word, uint32_t right) = nullptr;
  /// Whether a store writes the element `visit` of a row of so many bits each; `row_inside`: its row lies in
  /// the tensor.
  bool (*stores)(const TensorCopyCase&, int64_t visit, uint32_t bits, bool row_inside, bool right) = nullptr;
  /// The bytes of a 6-bit element's group in the order in which they are packed: from which byte each comes.
  uint32_t (*packed)(uint32_t element) = nullptr;
  /// Bytes that a load signals.
  int64_t (*signalled)(const TensorCopyCase&, int64_t right) = nullptr;
  /// How the instruction ends before any byte moves.
  End (*issue)(const TensorCopyCase&, End right) = nullptr;
  /// Ranks of a cluster that get the data, and those that are signalled: bits.
  uint32_t (*receivers)(const TensorCopyCase&, uint32_t right) = nullptr;
  uint32_t (*signalled_ranks)(const TensorCopyCase&, uint32_t right) = nullptr;
  /// A store reads shared memory only after wait_group.read has returned and the probe has written there.
  bool reads_late = false;
  /// Several lanes copy by the map of the first.
  bool lanes_share_map = false;
  /// What is then not known: bytes that are taken from the tensor, fill, bytes beside the box.
  bool data_is_open = false, fill_is_open = false, rest_is_open = false;
  /// Cases in which the rule plays a part; null: all.
  bool (*concerns)(const TensorCopyCase&) = nullptr;
};

/// The steps of the definition of an im2col copy (im2col_slow.h) that a bend may replace, beside those that a
/// tiled copy has as well. Each gets what the rules say; null: as the rules say. Axes: 0 W, 1 H, 2 D.
struct Im2colBend {
  /// Pixels of a column.
  uint32_t (*pixels)(const TensorCopyCase&, uint32_t right) = nullptr;
  /// A corner of the pixel box as the map has it.
  int64_t (*corner)(const TensorCopyCase&, uint32_t axis, bool upper, int64_t right) = nullptr;
  /// Where the walk begins in an axis.
  int64_t (*start)(const TensorCopyCase&, uint32_t axis, int64_t right) = nullptr;
  /// How far it goes, and from image to image.
  int64_t (*step)(const TensorCopyCase&, uint32_t axis, int64_t right) = nullptr;
  int64_t (*image_step)(const TensorCopyCase&, int64_t right) = nullptr;
  /// The last position that is not left, and the one after it.
  int64_t (*last)(const TensorCopyCase&, uint32_t axis, int64_t right) = nullptr;
  int64_t (*restart)(const TensorCopyCase&, uint32_t axis, int64_t right) = nullptr;
  /// Which axis is stepped at that place of the order.
  uint32_t (*order)(const TensorCopyCase&, uint32_t place) = nullptr;
  /// What is added to the position in an axis.
  int64_t (*offset)(const TensorCopyCase&, uint32_t axis, int64_t right) = nullptr;
  /// Bytes that a load signals.
  int64_t (*signalled)(const TensorCopyCase&, int64_t right) = nullptr;
};

/// What wOffset is added to.
enum class WideEnd : uint8_t { start, lower, upper };

/// What a bend changes about a walk along W alone, beside the steps that any im2col walk has (Im2colBend;
/// axis 0). Each gets what the rules say; null and false: as the rules say.
struct WideBend {
  /// Pixels of the column, halos left out.
  uint32_t (*pixels)(const TensorCopyCase&, uint32_t right) = nullptr;
  /// Pixels behind each group of im2col::w::128, or behind the column of im2col::w.
  uint32_t (*halo)(const TensorCopyCase&, uint32_t right) = nullptr;
  int64_t (*offset)(const TensorCopyCase&, WideEnd, int64_t right) = nullptr;
  /// Rows that the halo of a group is moved by.
  uint32_t (*halo_moved)(const TensorCopyCase&, uint32_t group) = nullptr;
  /// The next group begins behind the halo.
  bool halo_moves_on = false;
  /// A step that leaves the box goes on behind the lower corner as far as it went behind the upper one.
  bool carries_step = false;
  /// A step from left of the box goes no less far than to its lower corner.
  bool snaps_to_box = false;
};

/// What a bend changes about copies of four rows. Each step gets what the rules say; null: as the rules say.
struct GatherBend {
  /// Loads: the coordinate of a row, 0 to 3, in dimension 0 or 1.
  int64_t (*coordinate)(const TensorCopyCase&, uint32_t row, int dimension, int64_t right) = nullptr;
  /// Which of the four rows of shared memory it is.
  uint32_t (*place)(const TensorCopyCase&, uint32_t row, uint32_t right) = nullptr;
  /// Nothing of the row is in the tensor.
  bool (*is_lost)(const TensorCopyCase&, uint32_t row) = nullptr;
  /// Bytes that a load signals for each destination; `inside`: those that lie in the tensor.
  int64_t (*signalled)(const TensorCopyCase&, int64_t right, int64_t inside) = nullptr;
  /// Bytes of a row that a store writes, of those that lie in the tensor.
  uint64_t (*stored)(const TensorCopyCase&, uint32_t row, uint64_t right) = nullptr;
  /// Where several rows have the same index, any of them may be written with anything.
  bool repeated_rows_are_open = false;
  /// Several lanes: each of them copies its own rows of shared memory from or to the first one's rows of the
  /// tensor.
  bool lanes_share_coordinates = false;
};

/// What a bend changes about .cta_group of a multicast load.
struct CtaPairBend {
  /// Destinations whose bytes are signalled to a rank (copy.h).
  uint32_t (*destinations)(uint32_t cta_group, uint32_t mask, uint32_t rank, uint32_t barrier_rank,
                           uint32_t right) = nullptr;
};

}  // namespace assay::model
