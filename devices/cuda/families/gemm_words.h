// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "devices/cuda/families/family.h"
#include "kernels/params/gemm.h"

namespace assay::cuda {

/// CTAs of the pipeline that have notes for their waits, below the host's own.
inline constexpr uint32_t most_gemm_ctas =
    (params::batch_notes - 1 - params::gemm_first_wait) / params::gemm_warps;

/// The grid of a launch whose clusters cancel each other: as many of them as there may be, of a cluster's
/// width and with rows or layers, so that all of %ctaid says which one it was. Small grids too have rows of
/// several clusters.
struct GemmGrid {
  uint32_t clusters;  ///< of a row
  uint32_t rows, layers;
  uint32_t cluster_rows = 1, cluster_layers = 1;  ///< of CTAs
};
constexpr GemmGrid gemm_grid(uint32_t clusters) {
  if (clusters == 1) return {1, 1, 1};
  GemmGrid grid{clusters / 2, 2, 1};
  if (clusters >= 6 && clusters % 3 == 0) grid = {clusters / 6, 2, 3};
  if (clusters >= 3 && clusters % 3 == 2) grid = {clusters / 3, 1, 3};
  // Where a row has an odd number of them, half of their CTAs lie in another row, or layer.
  if (grid.clusters % 2 != 0) (grid.rows == 1 ? grid.cluster_layers : grid.cluster_rows) = 2;
  return grid;
}

extern const KernelNames gemm_names;

}  // namespace assay::cuda
