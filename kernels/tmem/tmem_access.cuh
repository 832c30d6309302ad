// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// tcgen05.ld and tcgen05.st by opcode: the forms are rows of kernels/forms/tcgen05_transfer.cc.
namespace assay::ptx {

/// Loads by the opcode and writes 128 words: the registers, then ones.
__device__ inline void tcgen05_ld(void* target, uint32_t opcode, uint32_t address) {
  asm volatile("trap; // assay.forms tcgen05.ld, %0, %1, %2;" ::"r"(opcode), "l"(target), "r"(address)
               : "memory");
}
/// Stores the first of 128 words in shared memory, as many as the opcode takes. The caller waits.
__device__ inline void tcgen05_st(uint32_t source, uint32_t opcode, uint32_t address) {
  asm volatile("trap; // assay.forms tcgen05.st, %0, %1, %2;" ::"r"(opcode), "r"(source), "r"(address)
               : "memory");
}

}  // namespace assay::ptx
