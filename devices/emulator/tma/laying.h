// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

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
  /// What a load writes of a cell whose bytes [from, to) lie in the tensor: those, and fill around them.
  void add_loaded(uint64_t source, uint32_t target, uint32_t from, uint32_t to);
  /// What a store writes of a cell whose bytes [from, to) lie in the tensor.
  void add_stored(uint64_t source, uint32_t target, uint32_t from, uint32_t to);

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

/// What lays out the copies of a mode, their map read.
void plan_tiled_copy(const TensorCopyRequest&, const TiledShape&, const Steps&, TensorCopyPlan&);
/// In im2col mode.
void plan_im2col_copy(const TensorCopyRequest&, const TiledShape&, const Steps&, TensorCopyPlan&);
/// In modes im2col::w and im2col::w::128.
void plan_wide_copy(const TensorCopyRequest&, const TiledShape&, const Steps&, TensorCopyPlan&);
/// In modes tile::gather4 and tile::scatter4.
void plan_row_copy(const TensorCopyRequest&, const TiledShape&, const Steps&, TensorCopyPlan&);

// Modes of tensor copies: one row a word of the instruction (ptx, Data Movement and Conversion Instructions:
// Tensor copy; legality by target: ptxas).

/// What an instruction has in braces behind its mbarrier.
enum class ModeOffsets : uint8_t { none, of_spatial_dimensions, of_halo };

struct TensorMode {
  std::string_view word;  ///< "tile", which may be left out
  TensorCopyMode mode;
  int least_rank, most_rank;
  bool loads, stores;  ///< prefetches go with loads
  bool is_of_sm_100;   ///< exists from there on
  bool is_on_sm_120;   ///< of those: there too, as a load to shared::cta
  int coordinates;     ///< 0: as many as the rank
  ModeOffsets load_offsets;
  /// Lays out a copy whose map is read.
  void (*plan)(const TensorCopyRequest&, const TiledShape&, const Steps&, TensorCopyPlan&);

  int coordinates_of(int rank) const { return coordinates != 0 ? coordinates : rank; }
  int offsets_of(int rank) const {
    return load_offsets == ModeOffsets::of_halo                 ? 2
           : load_offsets == ModeOffsets::of_spatial_dimensions ? rank - 2
                                                                : 0;
  }
};

std::span<const TensorMode> tensor_modes();
/// The row of a load, or of a store where no load has the mode.
const TensorMode& tensor_mode(TensorCopyMode mode);

}  // namespace assay::emulator
