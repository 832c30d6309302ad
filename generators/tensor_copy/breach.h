// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/random.h"
#include "reference/model/tensor_copy/case.h"

namespace assay::gen {

/// The one run-time rule that a faulting copy of rows or of a column breaks.
enum class CopyBreach : uint32_t {
  operand,        ///< shared address
  channel_start,  ///< not on 16 bytes; of rows the column
  extent,         ///< above 2^31
  // of rows
  map_rank,
  height,
  negative_row,  ///< of a store, each of the five coordinates
  // of a column
  instruction_rank,
  tile_instruction,
  start_below_box,
  start_above_box,
  negative_start,  ///< of a store
  leaving_corner,  ///< of a store
  // of a column along W
  start_right_of_box,
  plain_map,
  other_mode,
  plain_instruction,
};

/// Breaks it in one of its ways, the `turn`-th.
void breach(Random& random, CopyBreach what, uint32_t turn, TensorCopyCase& c);

}  // namespace assay::gen
