#pragma once

#include "devices/cuda/families/family.h"
#include "kernels/params/gemm.h"

namespace assay::cuda {

/// CTAs of the pipeline that have notes for their waits, below the host's own.
inline constexpr uint32_t most_gemm_ctas =
    (params::batch_notes - 1 - params::gemm_first_wait) / params::gemm_warps;

extern const KernelNames gemm_names;

}  // namespace assay::cuda
