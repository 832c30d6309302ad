// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Tensor copies: the forms are those of kernels/forms/tensor_copy.cc. A form takes of the operands what it
/// has.
namespace assay::ptx {

struct TensorOperands {
  int32_t c[5];   ///< coordinates
  uint16_t o[3];  ///< im2col offsets
  uint64_t policy;
};

__device__ inline void tensor_load(uint32_t opcode, uint32_t to, const void* map, uint32_t barrier,
                                   const TensorOperands& at) {
  asm volatile(
      "trap; // assay.forms cp.async.bulk.tensor.load, %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "
      "%12;" ::"r"(opcode),
      "r"(to), "l"(map), "r"(barrier), "l"(at.policy), "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]),
      "r"(at.c[4]), "h"(at.o[0]), "h"(at.o[1]), "h"(at.o[2])
      : "memory");
}
__device__ inline void tensor_load_cluster(uint32_t opcode, uint32_t to, const void* map, uint32_t barrier,
                                           const TensorOperands& at, uint16_t mask) {
  asm volatile(
      "trap; // assay.forms cp.async.bulk.tensor.load.cluster, %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, "
      "%11, %12, %13;" ::"r"(opcode),
      "r"(to), "l"(map), "r"(barrier), "l"(at.policy), "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]),
      "r"(at.c[4]), "h"(at.o[0]), "h"(at.o[1]), "h"(at.o[2]), "h"(mask)
      : "memory");
}
/// A store or a reduction.
__device__ inline void tensor_store(uint32_t opcode, const void* map, uint32_t from,
                                    const TensorOperands& at) {
  asm volatile(
      "trap; // assay.forms cp.async.bulk.tensor.store, %0, %1, %2, %3, %4, %5, %6, %7, %8;" ::"r"(opcode),
      "l"(map), "r"(from), "l"(at.policy), "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]),
      "r"(at.c[4])
      : "memory");
}
__device__ inline void tcgen05_commit_any(uint32_t opcode, uint32_t barrier, uint16_t mask) {
  asm volatile("trap; // assay.forms tcgen05.commit, %0, %1, %2;" ::"r"(opcode), "r"(barrier), "h"(mask)
               : "memory");
}
__device__ inline void tensor_prefetch(uint32_t opcode, const void* map, const TensorOperands& at) {
  asm volatile(
      "trap; // assay.forms cp.async.bulk.prefetch.tensor, %0, %1, %2, %3, %4, %5, %6, %7, %8, %9;" ::"r"(
          opcode),
      "l"(map), "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "r"(at.c[4]), "h"(at.o[0]),
      "h"(at.o[1]), "h"(at.o[2])
      : "memory");
}

}  // namespace assay::ptx
