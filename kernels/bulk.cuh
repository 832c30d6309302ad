#pragma once

#include <cstdint>

namespace assay::ptx {

/// Until all but the `pending` latest groups, 0 to 7, are done, or are done reading.
__device__ inline void cp_async_bulk_wait_group(uint32_t pending, bool for_reads) {
  // The instruction takes a number that is written out.
#define ASSAY_WAIT_GROUP(NUMBER)                                             \
  case 2 * NUMBER:                                                           \
    asm volatile("cp.async.bulk.wait_group " #NUMBER ";" ::: "memory");      \
    break;                                                                   \
  case 2 * NUMBER + 1:                                                       \
    asm volatile("cp.async.bulk.wait_group.read " #NUMBER ";" ::: "memory"); \
    break;
  switch (2 * pending + for_reads) {
    ASSAY_WAIT_GROUP(0)
    ASSAY_WAIT_GROUP(1)
    ASSAY_WAIT_GROUP(2)
    ASSAY_WAIT_GROUP(3)
    ASSAY_WAIT_GROUP(4)
    ASSAY_WAIT_GROUP(5)
    ASSAY_WAIT_GROUP(6)
    ASSAY_WAIT_GROUP(7)
  }
#undef ASSAY_WAIT_GROUP
}

/// One of the forms of kernels/forms/bulk_copy.cc, which takes of the operands what it has.
__device__ inline void bulk_copy(uint32_t opcode, uint64_t global, uint32_t to, uint32_t from, uint32_t size,
                                 uint32_t barrier, uint16_t mask, uint64_t policy) {
  asm volatile("trap; // assay.forms cp.async.bulk, %0, %1, %2, %3, %4, %5, %6, %7;" ::"r"(opcode),
               "l"(global), "r"(to), "r"(from), "r"(size), "r"(barrier), "h"(mask), "l"(policy)
               : "memory");
}

}  // namespace assay::ptx
