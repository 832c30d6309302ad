// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "devices/emulator/tma/engine.h"
#include "devices/emulator/tma/shape.h"
#include "devices/emulator/tma/steps.h"

/// Modes of tensor copies: one row a word of the instruction (ptx, Data Movement and Conversion Instructions:
/// Tensor copy; legality by target: ptxas).
namespace assay::emulator {

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
