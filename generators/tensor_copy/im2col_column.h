// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "generators/tensor_copy/im2col_copy.h"

namespace assay::gen {

/// What a legal im2col copy should look like. The column's payload aims at `bytes`.
struct ColumnWish {
  ColumnCell cell;
  CopyDirection direction = CopyDirection::load;
  uint64_t bytes = 2048;
  uint32_t cluster_size = 1;
  uint32_t rarity = 1;  ///< of a column at a border of shared memory (borders.h)
};

/// The next multiple of a unit.
constexpr uint64_t whole_units(uint64_t value, uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// A legal case in the wished cell that fits the rig (false: none found in a bounded number of tries; `made`
/// is then a legal case of a neighbouring cell, or none at all).
bool build_column(Random& random, const ColumnWish& wish, TensorCopyCase& made);

/// Behind the last byte of global memory that the copy touches, by either reading of TMA-AMB-23.
uint64_t touched_end(const TensorCopyCase& c, spec::Arch arch);

/// Puts the column at a place in shared memory, and window, fills and slot around what the copy touches.
/// False: it does not fit.
bool place_column(Random& random, const ColumnWish& wish, TensorCopyCase& c);

}  // namespace assay::gen
