// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// tcgen05.cp by opcode: the forms are rows of kernels/forms/tcgen05_transfer.cc.
namespace assay::ptx {

template <int group>
__device__ inline void tcgen05_cp(uint32_t opcode, uint32_t address, uint64_t descriptor) {
  if constexpr (group == 1)
    asm volatile("trap; // assay.forms tcgen05.cp, %0, %1, %2;" ::"r"(opcode), "r"(address), "l"(descriptor)
                 : "memory");
  else
    asm volatile("trap; // assay.forms tcgen05.cp.pair, %0, %1, %2;" ::"r"(opcode), "r"(address),
                 "l"(descriptor)
                 : "memory");
}

}  // namespace assay::ptx
