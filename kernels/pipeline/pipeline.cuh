// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// tcgen05.mma as whole pipelines use it, by opcode: the forms are rows of kernels/forms/pipeline_mma.cc.
namespace assay::ptx {

/// D = A * B, + D if `accumulates`.
template <int group>
__device__ inline void tcgen05_mma_stage(uint32_t opcode, uint32_t d, uint64_t a, uint64_t b, uint32_t idesc,
                                         uint32_t a_scales, uint32_t b_scales, bool accumulates) {
  if constexpr (group == 1)
    asm volatile("trap; // assay.forms pipeline.mma, %0, %1, %2, %3, %4, %5, %6, %7;" ::"r"(opcode), "r"(d),
                 "l"(a), "l"(b), "r"(idesc), "r"(a_scales), "r"(b_scales),
                 "r"(static_cast<uint32_t>(accumulates))
                 : "memory");
  else
    asm volatile("trap; // assay.forms pipeline.mma.pair, %0, %1, %2, %3, %4, %5, %6, %7;" ::"r"(opcode),
                 "r"(d), "l"(a), "l"(b), "r"(idesc), "r"(a_scales), "r"(b_scales),
                 "r"(static_cast<uint32_t>(accumulates))
                 : "memory");
}

}  // namespace assay::ptx
