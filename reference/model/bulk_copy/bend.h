// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "reference/model/tensor_copy/copy.h"

namespace assay {
struct BulkCase;
}

namespace assay::model {

/// What a bend changes about plain bulk copies (suites/bulk has their cases), the arithmetic of reductions
/// apart. Null and false: as the rules say.
struct BulkBend {
  /// Bytes that a size operand stands for.
  uint32_t (*moved)(uint32_t size, uint32_t right) = nullptr;
  /// Bytes that each receiving barrier is told.
  int64_t (*signalled)(const BulkCase&, int64_t right) = nullptr;
  /// Ranks that get the data, and those whose barrier is told: bits.
  uint32_t (*receivers)(const BulkCase&, uint32_t right) = nullptr;
  uint32_t (*signalled_ranks)(const BulkCase&, uint32_t right) = nullptr;
  /// What of the mask of a store counts.
  uint16_t (*byte_mask)(const BulkCase&, uint16_t right) = nullptr;
  /// How the instruction ends before any byte moves.
  End (*issue)(const BulkCase&, End right) = nullptr;
  /// Bytes that were moved, or beside them, may hold something else.
  bool data_is_open = false, rest_is_open = false;
};

}  // namespace assay::model
