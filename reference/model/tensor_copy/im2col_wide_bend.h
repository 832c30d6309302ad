// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/model/tensor_copy/case.h"

namespace assay::model {

/// What wOffset is added to.
enum class WideEnd : uint8_t { start, lower, upper };

/// What a bend changes about a walk along W alone, beside the steps that any im2col walk has (im2col_bend.h;
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

}  // namespace assay::model
