// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/params/bulk_copy.h"

namespace assay::ptx {

/// Until all but the `pending` latest groups are done, or are done reading: one of the forms of
/// kernels/forms/bulk_copy.cc.
__device__ inline void cp_async_bulk_wait_group(uint32_t pending, bool for_reads) {
  asm volatile(
      "trap; // assay.forms cp.async.bulk.wait_group, %0;" ::"r"(params::bulk_wait_opcode(pending, for_reads))
      : "memory");
}

/// One of the forms of kernels/forms/bulk_copy.cc, which takes of the operands what it has.
__device__ inline void bulk_copy(uint32_t opcode, uint64_t global, uint32_t to, uint32_t from, uint32_t size,
                                 uint32_t barrier, uint16_t mask, uint64_t policy) {
  asm volatile("trap; // assay.forms cp.async.bulk, %0, %1, %2, %3, %4, %5, %6, %7;" ::"r"(opcode),
               "l"(global), "r"(to), "r"(from), "r"(size), "r"(barrier), "h"(mask), "l"(policy)
               : "memory");
}

}  // namespace assay::ptx
