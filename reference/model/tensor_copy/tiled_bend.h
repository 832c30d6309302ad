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
  /// Several lanes copy by the map of the first.
  bool lanes_share_map = false;
  /// What is then not known: bytes that are taken from the tensor, fill, bytes beside the box.
  bool data_is_open = false, fill_is_open = false, rest_is_open = false;
  /// Cases in which the rule plays a part; null: all.
  bool (*concerns)(const TensorCopyCase&) = nullptr;
};

}  // namespace assay::model
