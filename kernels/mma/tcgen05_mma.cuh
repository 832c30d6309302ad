// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// tcgen05.mma and tcgen05.mma.ws by opcode: the forms are rows of kernels/forms/tcgen05_mma.cc.
namespace assay::ptx {

struct MmaOperands {
  uint32_t d_tmem, a_tmem, idesc;
  uint32_t enable_input_d;  ///< 0 or not
  uint64_t a_desc, b_desc, zero_column_mask;
  uint32_t disable_output_lane[8];
  uint32_t scale_a, scale_b;  ///< .block_scale
  uint32_t sp_meta;           ///< .sp
};

template <int group>
__device__ inline void tcgen05_mma(uint32_t opcode, const MmaOperands& m) {
  if constexpr (group == 1)
    asm volatile(
        "trap; // assay.forms tcgen05.mma, %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11;" ::"r"(opcode),
        "r"(m.d_tmem), "l"(m.a_desc), "r"(m.a_tmem), "l"(m.b_desc), "r"(m.sp_meta), "r"(m.idesc),
        "r"(m.enable_input_d), "r"(m.disable_output_lane[0]), "r"(m.disable_output_lane[1]),
        "r"(m.disable_output_lane[2]), "r"(m.disable_output_lane[3])
        : "memory");
  else
    asm volatile(
        "trap; // assay.forms tcgen05.mma.pair, %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, "
        "%14, %15;" ::"r"(opcode),
        "r"(m.d_tmem), "l"(m.a_desc), "r"(m.a_tmem), "l"(m.b_desc), "r"(m.sp_meta), "r"(m.idesc),
        "r"(m.enable_input_d), "r"(m.disable_output_lane[0]), "r"(m.disable_output_lane[1]),
        "r"(m.disable_output_lane[2]), "r"(m.disable_output_lane[3]), "r"(m.disable_output_lane[4]),
        "r"(m.disable_output_lane[5]), "r"(m.disable_output_lane[6]), "r"(m.disable_output_lane[7])
        : "memory");
}
template <int group>
__device__ inline void tcgen05_mma_block_scale(uint32_t opcode, const MmaOperands& m) {
  if constexpr (group == 1)
    asm volatile(
        "trap; // assay.forms tcgen05.mma.block_scale, %0, %1, %2, %3, %4, %5, %6, %7, %8, %9;" ::"r"(opcode),
        "r"(m.d_tmem), "l"(m.a_desc), "r"(m.a_tmem), "l"(m.b_desc), "r"(m.sp_meta), "r"(m.idesc),
        "r"(m.scale_a), "r"(m.scale_b), "r"(m.enable_input_d)
        : "memory");
  else
    asm volatile(
        "trap; // assay.forms tcgen05.mma.block_scale.pair, %0, %1, %2, %3, %4, %5, %6, %7, %8, %9;" ::"r"(
            opcode),
        "r"(m.d_tmem), "l"(m.a_desc), "r"(m.a_tmem), "l"(m.b_desc), "r"(m.sp_meta), "r"(m.idesc),
        "r"(m.scale_a), "r"(m.scale_b), "r"(m.enable_input_d)
        : "memory");
}
__device__ inline void tcgen05_mma_ws(uint32_t opcode, const MmaOperands& m) {
  asm volatile("trap; // assay.forms tcgen05.mma.ws, %0, %1, %2, %3, %4, %5, %6, %7, %8;" ::"r"(opcode),
               "r"(m.d_tmem), "l"(m.a_desc), "r"(m.a_tmem), "l"(m.b_desc), "r"(m.sp_meta), "r"(m.idesc),
               "r"(m.enable_input_d), "l"(m.zero_column_mask)
               : "memory");
}

}  // namespace assay::ptx
