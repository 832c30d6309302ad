// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "devices/emulator/shared_window.h"
#include "devices/emulator/tma/engine.h"
#include "devices/emulator/tma/shape.h"
#include "devices/emulator/tma/steps.h"

/// What copies of every mode have in common when they are laid out.
namespace assay::emulator {

/// Puts together the pieces of a plan.
class Pieces {
 public:
  Pieces(const TensorCopyRequest& request, const TiledShape& shape, const Steps& steps, TensorCopyPlan& plan)
      : request_(request), shape_(shape), steps_(steps), plan_(plan) {}
  /// Bytes [from, to) of a cell that begins at global address `source` and at `target` before swizzling.
  void add(uint64_t source, uint32_t target, uint32_t from, uint32_t to, bool is_fill);

 private:
  const TensorCopyRequest& request_;
  const TiledShape& shape_;
  const Steps& steps_;
  TensorCopyPlan& plan_;
};

void set_fault(TensorCopyPlan&, std::string_view id, Diagnostic::Kind, const std::string& message);

/// The shared operand and the start in dimension 0 are where they may be; else the plan has a fault.
bool check_alignment(const TensorCopyRequest&, const TiledShape&, const Steps&, TensorCopyPlan&);
/// A store starts in the tensor's lower bounds; else the plan has a fault.
bool check_store_start(const TensorCopyRequest&, const TiledShape&, const Steps&, TensorCopyPlan&);

/// What lays out the copies of a mode (modes.h), their map read.
void plan_tiled_copy(const TensorCopyRequest&, const TiledShape&, const Steps&, TensorCopyPlan&);
/// In im2col mode.
void plan_im2col_copy(const TensorCopyRequest&, const TiledShape&, const Steps&, TensorCopyPlan&);
/// In modes im2col::w and im2col::w::128.
void plan_wide_copy(const TensorCopyRequest&, const TiledShape&, const Steps&, TensorCopyPlan&);
/// In modes tile::gather4 and tile::scatter4.
void plan_row_copy(const TensorCopyRequest&, const TiledShape&, const Steps&, TensorCopyPlan&);

}  // namespace assay::emulator
