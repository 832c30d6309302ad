// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/model/tensor_copy/case.h"
#include "reference/model/tensor_copy/copy.h"

namespace assay::model {

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

}  // namespace assay::model
