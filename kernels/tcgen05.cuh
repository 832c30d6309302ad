#pragma once

#include <cstdint>

/// One function for each PTX spelling of tcgen05 that all its kernels use. `group` is .cta_group. Tensor
/// memory addresses are lane << 16 | column; what is .sync.aligned is for whole warps.
namespace assay::ptx {

/// Writes the address of `columns` columns to shared memory. Waits until they are free.
template <int group>
__device__ inline void tcgen05_alloc(uint32_t destination, uint32_t columns) {
  if constexpr (group == 1)
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(destination),
                 "r"(columns)
                 : "memory");
  else
    asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(destination),
                 "r"(columns)
                 : "memory");
}
/// The same at a generic address.
__device__ inline void tcgen05_alloc_generic(uint64_t destination, uint32_t columns) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.b32 [%0], %1;" ::"l"(destination), "r"(columns)
               : "memory");
}
template <int group>
__device__ inline void tcgen05_dealloc(uint32_t address, uint32_t columns) {
  if constexpr (group == 1)
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, %1;" ::"r"(address), "r"(columns));
  else
    asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, %1;" ::"r"(address), "r"(columns));
}
template <int group>
__device__ inline void tcgen05_relinquish_alloc_permit() {
  if constexpr (group == 1)
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
  else
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;");
}

__device__ inline void tcgen05_fence_before_thread_sync() {
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
}
__device__ inline void tcgen05_fence_after_thread_sync() {
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
}
__device__ inline void tcgen05_wait_ld() {
  asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
}
__device__ inline void tcgen05_wait_st() {
  asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory");
}

/// Arrives at the barrier once all that this thread has issued is complete.
template <int group>
__device__ inline void tcgen05_commit(uint32_t barrier) {
  if constexpr (group == 1)
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(barrier)
                 : "memory");
  else
    asm volatile("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(barrier)
                 : "memory");
}

/// The same for the barrier at a generic address.
__device__ inline void tcgen05_commit_generic(uint64_t barrier) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%0];" ::"l"(barrier) : "memory");
}

__device__ inline void tcgen05_st_32x32b_x1(uint32_t address, uint32_t v) {
  asm volatile("tcgen05.st.sync.aligned.32x32b.x1.b32 [%0], {%1};" ::"r"(address), "r"(v) : "memory");
}
__device__ inline void tcgen05_st_32x32b_x4(uint32_t address, const uint32_t (&v)[4]) {
  asm volatile("tcgen05.st.sync.aligned.32x32b.x4.b32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(v[0]),
               "r"(v[1]), "r"(v[2]), "r"(v[3])
               : "memory");
}
/// The registers hold the cells only after tcgen05_wait_ld().
__device__ inline void tcgen05_ld_32x32b_x32(uint32_t (&v)[32], uint32_t address) {
  asm volatile(
      "tcgen05.ld.sync.aligned.32x32b.x32.b32 {%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, "
      "%14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, [%32];"
      : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]), "=r"(v[4]), "=r"(v[5]), "=r"(v[6]), "=r"(v[7]),
        "=r"(v[8]), "=r"(v[9]), "=r"(v[10]), "=r"(v[11]), "=r"(v[12]), "=r"(v[13]), "=r"(v[14]), "=r"(v[15]),
        "=r"(v[16]), "=r"(v[17]), "=r"(v[18]), "=r"(v[19]), "=r"(v[20]), "=r"(v[21]), "=r"(v[22]),
        "=r"(v[23]), "=r"(v[24]), "=r"(v[25]), "=r"(v[26]), "=r"(v[27]), "=r"(v[28]), "=r"(v[29]),
        "=r"(v[30]), "=r"(v[31])
      : "r"(address)
      : "memory");
}

}  // namespace assay::ptx
