#pragma once

#include <cstdint>

/// Loads of eight columns of tensor memory, each by an instruction of its own, and what they are waited for
/// with: one text, so that no instruction of the compiler's comes between.
namespace assay::ptx {

// Eight columns from %8 on into %0 to %7, by a load each.
#define LOAD_EACH_COLUMN                                  \
  "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%8];\n"   \
  "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%1}, [%8+1];\n" \
  "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%2}, [%8+2];\n" \
  "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%3}, [%8+3];\n" \
  "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%4}, [%8+4];\n" \
  "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%5}, [%8+5];\n" \
  "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%6}, [%8+6];\n" \
  "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%7}, [%8+7];\n"

#define LOADED \
  "=&r"(v[0]), "=&r"(v[1]), "=&r"(v[2]), "=&r"(v[3]), "=&r"(v[4]), "=&r"(v[5]), "=&r"(v[6]), "=&r"(v[7])

/// All loads are under way before the one wait.
__device__ inline void tcgen05_ld_columns(uint32_t (&v)[8], uint32_t address) {
  asm volatile(LOAD_EACH_COLUMN "tcgen05.wait::ld.sync.aligned;" : LOADED : "r"(address) : "memory");
}
/// The stores before it are waited for while the loads are under way.
__device__ inline void tcgen05_ld_columns_wait_st(uint32_t (&v)[8], uint32_t address) {
  asm volatile(LOAD_EACH_COLUMN
               "tcgen05.wait::st.sync.aligned;\n"
               "tcgen05.wait::ld.sync.aligned;"
               : LOADED
               : "r"(address)
               : "memory");
}
/// Stores `w` once the loads are over, and waits for it: the registers are not looked at before both have
/// been waited for.
__device__ inline void tcgen05_ld_columns_st(uint32_t (&v)[8], uint32_t address, const uint32_t (&w)[8]) {
  asm volatile(LOAD_EACH_COLUMN
               "tcgen05.wait::ld.sync.aligned;\n"
               "tcgen05.st.sync.aligned.32x32b.x8.b32 [%8], {%9, %10, %11, %12, %13, %14, %15, %16};\n"
               "tcgen05.wait::st.sync.aligned;"
               : LOADED
               : "r"(address), "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3]), "r"(w[4]), "r"(w[5]), "r"(w[6]),
                 "r"(w[7])
               : "memory");
}

#undef LOAD_EACH_COLUMN
#undef LOADED

}  // namespace assay::ptx
