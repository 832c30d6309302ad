// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// tcgen05.ld.red by opcode: the forms are rows of kernels/forms/tcgen05_transfer.cc.
namespace assay::ptx {

/// Loads by the opcode and writes 129 words: the registers, ones in the others, and the reduction.
__device__ inline void tcgen05_ld_red(void* target, uint32_t opcode, uint32_t address) {
  asm volatile("trap; // assay.forms tcgen05.ld.red, %0, %1, %2;" ::"r"(opcode), "l"(target), "r"(address)
               : "memory");
}

}  // namespace assay::ptx
