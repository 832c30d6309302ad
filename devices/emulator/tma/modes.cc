// SPDX-License-Identifier: Apache-2.0
#include "devices/emulator/tma/modes.h"

#include <algorithm>

#include "devices/emulator/tma/laying.h"

namespace assay::emulator {
namespace {

using enum TensorCopyMode;
using enum ModeOffsets;

constexpr TensorMode rows[] = {
    // word             mode          ranks loads  stores sm_100 sm_120 coordinates, offsets
    {"tile", tile, 1, 5, true, true, false, false, 0, none, plan_tiled_copy},
    {"im2col", im2col, 3, 5, true, false, false, false, 0, of_spatial_dimensions, plan_im2col_copy},
    {"im2col_no_offs", im2col, 3, 5, false, true, false, false, 0, none, plan_im2col_copy},
    {"im2col::w", im2col_w, 3, 5, true, false, true, true, 0, of_halo, plan_wide_copy},
    {"im2col::w::128", im2col_w_128, 3, 5, true, false, true, false, 0, of_halo, plan_wide_copy},
    {"tile::gather4", gather4, 2, 2, true, false, true, true, 5, none, plan_row_copy},
    {"tile::scatter4", scatter4, 2, 2, false, true, true, false, 5, none, plan_row_copy},
};

}  // namespace

std::span<const TensorMode> tensor_modes() {
  return rows;
}

const TensorMode& tensor_mode(TensorCopyMode mode) {
  return *std::ranges::find(rows, mode, &TensorMode::mode);
}

}  // namespace assay::emulator
