// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/model/tensor_copy/case.h"

namespace assay::model {

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
  /// Destinations whose bytes are signalled to a rank (cta_pair.h).
  uint32_t (*destinations)(uint32_t cta_group, uint32_t mask, uint32_t rank, uint32_t barrier_rank,
                           uint32_t right) = nullptr;
};

}  // namespace assay::model
