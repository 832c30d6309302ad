#pragma once

#include "devices/cuda/families/family.h"
#include "kernels/params/gemm.h"

namespace assay::cuda {

/// CTAs of the pipeline that have notes for their waits, below the host's own.
inline constexpr uint32_t most_gemm_ctas =
    (params::batch_notes - 1 - params::gemm_first_wait) / params::gemm_warps;

/// The grid of a launch whose clusters cancel each other: as many of them as there may be, of a cluster's
/// width and with rows and layers, so that all of %ctaid says which one it was.
struct GemmGrid {
  uint32_t clusters;  ///< of a row
  uint32_t rows, layers;
};
constexpr GemmGrid gemm_grid(uint32_t clusters) {
  if (clusters < 6) return {1, 1, clusters};
  return {clusters / 6, 2, 3};
}

extern const KernelNames gemm_names;

}  // namespace assay::cuda
