#pragma once

#include <cstdint>

/// One function for each PTX spelling that the kernels use; asm stands nowhere else. Shared addresses are
/// 32-bit addresses of the shared window.
namespace assay::ptx {

__device__ inline uint32_t shared_address(const void* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ inline void st_shared_v4(uint32_t address, uint4 v) {
  asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(v.x), "r"(v.y), "r"(v.z),
               "r"(v.w)
               : "memory");
}
__device__ inline void st_shared_u16(uint32_t address, uint16_t v) {
  asm volatile("st.shared.u16 [%0], %1;" ::"r"(address), "h"(v) : "memory");
}
__device__ inline void st_shared_u32(uint32_t address, uint32_t v) {
  asm volatile("st.shared.b32 [%0], %1;" ::"r"(address), "r"(v) : "memory");
}
__device__ inline uint4 ld_shared_v4(uint32_t address) {
  uint4 v;
  asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(address)
               : "memory");
  return v;
}
__device__ inline uint4 ld_global_v4(const void* address) {
  uint4 v;
  asm volatile("ld.global.v4.b32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(address)
               : "memory");
  return v;
}
__device__ inline void st_global_v4(void* address, uint4 v) {
  asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(address), "r"(v.x), "r"(v.y), "r"(v.z),
               "r"(v.w)
               : "memory");
}
/// A note for the host that must be out before what follows.
__device__ inline void st_volatile_global_u32(uint32_t* address, uint32_t value) {
  asm volatile("st.volatile.global.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}
__device__ inline void st_shared_cluster_u32(uint32_t address, uint32_t value) {
  asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
}
__device__ inline uint32_t mapa_shared_cluster(uint32_t address, uint32_t rank) {
  uint32_t mapped;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address), "r"(rank));
  return mapped;
}

/// The generic address of a shared address, of this CTA or of another of the cluster.
__device__ inline uint64_t generic_address(uint32_t address) {
  uint64_t generic;
  asm("cvta.shared::cluster.u64 %0, %1;" : "=l"(generic) : "l"(uint64_t{address}));
  return generic;
}

__device__ inline uint32_t smid() {
  uint32_t v;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(v));
  return v;
}
__device__ inline uint64_t globaltimer() {
  uint64_t v;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(v)::"memory");
  return v;
}
__device__ inline uint32_t cluster_ctarank() {
  uint32_t v;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(v));
  return v;
}
__device__ inline uint32_t cluster_nctarank() {
  uint32_t v;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(v));
  return v;
}

__device__ inline void fence_proxy_async() {
  asm volatile("fence.proxy.async;" ::: "memory");
}
__device__ inline void fence_proxy_async_shared_cta() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ inline void fence_proxy_tensormap_release_gpu() {
  asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
}
__device__ inline void fence_proxy_tensormap_acquire_gpu(const void* map) {
  asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
}
__device__ inline void fence_mbarrier_init() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ inline void barrier_cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ inline void barrier_cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__device__ inline void mbarrier_init(uint32_t barrier, uint32_t count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}
__device__ inline void mbarrier_arrive(uint32_t barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}
__device__ inline void mbarrier_arrive(uint32_t barrier, uint32_t count) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(count) : "memory");
}
__device__ inline void mbarrier_inval(uint32_t barrier) {
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(barrier) : "memory");
}
__device__ inline uint32_t mbarrier_test_wait_parity(uint32_t barrier, uint32_t parity) {
  uint32_t done;
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "mbarrier.test_wait.parity.shared::cta.b64 done, [%1], %2;\n"
      "selp.u32 %0, 1, 0, done;\n"
      "}"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done;
}
__device__ inline void cp_async_wait_all() {
  asm volatile("cp.async.wait_all;" ::: "memory");
}
/// Eight bytes of global memory.
__device__ inline void cp_async_8(uint32_t to, const void* from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(__cvta_generic_to_global(from))
               : "memory");
}
__device__ inline void mbarrier_arrive_expect_tx(uint32_t barrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}
__device__ inline void mbarrier_expect_tx(uint32_t barrier, uint32_t bytes) {
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}
__device__ inline void mbarrier_complete_tx(uint32_t barrier, uint32_t bytes) {
  asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(bytes)
               : "memory");
}
__device__ inline bool mbarrier_try_wait_parity(uint32_t barrier, uint32_t parity) {
  uint32_t done;
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
      "selp.u32 %0, 1, 0, done;\n"
      "}"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done != 0;
}

__device__ inline void cp_async_bulk_commit_group() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
__device__ inline void cp_async_bulk_wait_group_0() {
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

/// The sources of all groups have been read.
__device__ inline void cp_async_bulk_wait_group_read_0() {
  asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
}

__device__ inline void trap() {
  asm volatile("trap;");
}

/// The 96-byte swizzle, which only sm_103a has, and only through this instruction.
__device__ inline void tensormap_replace_swizzle_mode_96B(void* map) {
  asm volatile("trap; // assay.forms tensormap.replace.swizzle_96b, 0, %0;" ::"l"(map) : "memory");
}

struct Coordinates {
  int32_t c[5];
};

/// The copies of kernels that are no probes of them.
__device__ inline void load_2d(uint32_t to, const void* map, const Coordinates& at, uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
      "%4}], [%2];" ::"r"(to),
      "l"(map), "r"(barrier), "r"(at.c[0]), "r"(at.c[1])
      : "memory");
}
__device__ inline void load_multicast_2d(uint32_t to, const void* map, const Coordinates& at,
                                         uint32_t barrier, uint16_t mask) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%0], [%1, {%4, %5}], [%2], %3;" ::"r"(to),
      "l"(map), "r"(barrier), "h"(mask), "r"(at.c[0]), "r"(at.c[1])
      : "memory");
}
__device__ inline void store_2d(const void* map, const Coordinates& at, uint32_t from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
               "r"(from), "r"(at.c[0]), "r"(at.c[1])
               : "memory");
}

}  // namespace assay::ptx
