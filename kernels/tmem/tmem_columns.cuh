// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Loads of eight columns of tensor memory, each by an instruction of its own, and what they are waited for
/// with: one text, a row of kernels/forms/tmem_sequence.cc, so that no instruction of the compiler's comes
/// between. The first load writes while the others still need the address.
namespace assay::ptx {

/// All loads are under way before the one wait.
__device__ inline void tcgen05_ld_columns(uint32_t (&v)[8], uint32_t address) {
  asm volatile("trap; // assay.forms tcgen05.ld.columns, 0, %0, %1, %2, %3, %4, %5, %6, %7, %8;"
               : "=&r"(v[0]), "=&r"(v[1]), "=&r"(v[2]), "=&r"(v[3]), "=&r"(v[4]), "=&r"(v[5]), "=&r"(v[6]),
                 "=&r"(v[7])
               : "r"(address)
               : "memory");
}
/// The stores before it are waited for while the loads are under way.
__device__ inline void tcgen05_ld_columns_wait_st(uint32_t (&v)[8], uint32_t address) {
  asm volatile("trap; // assay.forms tcgen05.ld.columns.wait_st, 0, %0, %1, %2, %3, %4, %5, %6, %7, %8;"
               : "=&r"(v[0]), "=&r"(v[1]), "=&r"(v[2]), "=&r"(v[3]), "=&r"(v[4]), "=&r"(v[5]), "=&r"(v[6]),
                 "=&r"(v[7])
               : "r"(address)
               : "memory");
}
/// Stores `w` once the loads are over, and waits for it: the registers are not looked at before both have
/// been waited for.
__device__ inline void tcgen05_ld_columns_st(uint32_t (&v)[8], uint32_t address, const uint32_t (&w)[8]) {
  asm volatile(
      "trap; // assay.forms tcgen05.ld.columns.st, 0, %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, "
      "%12, %13, %14, %15, %16;"
      : "=&r"(v[0]), "=&r"(v[1]), "=&r"(v[2]), "=&r"(v[3]), "=&r"(v[4]), "=&r"(v[5]), "=&r"(v[6]), "=&r"(v[7])
      : "r"(address), "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3]), "r"(w[4]), "r"(w[5]), "r"(w[6]), "r"(w[7])
      : "memory");
}

}  // namespace assay::ptx
