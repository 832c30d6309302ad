// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// One function for each PTX spelling that the kernels use: instructions are written here, or as rows of
/// kernels/forms, which asm statements elsewhere ask for (cmake/spelled_once.py). Shared addresses are 32-bit
/// addresses of the shared window; `group` is .cta_group.
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
__device__ inline void st_shared_u64(uint32_t address, uint64_t v) {
  asm volatile("st.shared.b64 [%0], %1;" ::"r"(address), "l"(v) : "memory");
}
__device__ inline void st_global_u64(void* address, uint64_t v) {
  asm volatile("st.global.b64 [%0], %1;" ::"l"(address), "l"(v) : "memory");
}
__device__ inline uint64_t ld_global_u64(const void* address) {
  uint64_t v;
  asm volatile("ld.global.b64 %0, [%1];" : "=l"(v) : "l"(address) : "memory");
  return v;
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
/// A place in the grid, or an extent.
struct CtaId {
  uint32_t x, y, z;
};
/// CTAs of a cluster along each axis.
__device__ inline CtaId cluster_nctaid() {
  CtaId extent;
  asm("mov.u32 %0, %%cluster_nctaid.x;\n"
      "mov.u32 %1, %%cluster_nctaid.y;\n"
      "mov.u32 %2, %%cluster_nctaid.z;"
      : "=r"(extent.x), "=r"(extent.y), "=r"(extent.z));
  return extent;
}
/// One lane of a full warp, always the same.
__device__ inline bool elect_one() {
  uint32_t elected;
  asm volatile(
      "{\n.reg .pred p;\n"
      "elect.sync _|p, 0xffffffff;\n"
      "selp.u32 %0, 1, 0, p;\n}"
      : "=r"(elected)::"memory");
  return elected != 0;
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
__device__ inline void mbarrier_arrive_cluster(uint32_t barrier) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
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
/// True also orders what threads of other CTAs did before they arrived.
__device__ inline bool mbarrier_try_wait_parity_cluster(uint32_t barrier, uint32_t parity) {
  uint32_t done;
  asm volatile(
      "{\n.reg .pred done;\n"
      "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%1], %2;\n"
      "selp.u32 %0, 1, 0, done;\n}"
      : "=r"(done)
      : "r"(barrier), "r"(parity)
      : "memory");
  return done != 0;
}

/// Asks for a cluster of the grid that has not started to be cancelled. Every CTA of this cluster gets the
/// answer, 16 bytes, at the same place, and 16 bytes at its barrier.
__device__ inline void try_cancel_multicast(uint32_t answer, uint32_t barrier) {
  asm volatile(
      "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes"
      ".multicast::cluster::all.b128 [%0], [%1];" ::"r"(answer),
      "r"(barrier)
      : "memory");
}
/// %ctaid of the first CTA of the cluster that was cancelled; x is `none` where none was. `apart`: not 0
/// where each number is asked for alone, after all of them together.
__device__ inline CtaId cancelled_cta(uint32_t answer, uint32_t none, uint32_t apart) {
  CtaId first;
  asm volatile(
      "{\n.reg .pred p, q;\n"
      ".reg .b128 answer;\n"
      "ld.shared.b128 answer, [%3];\n"
      "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, answer;\n"
      "mov.u32 %0, %4;\n"
      "mov.u32 %1, 0;\n"
      "mov.u32 %2, 0;\n"
      "@p clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%0, %1, %2, _}, answer;\n"
      "setp.ne.and.u32 q, %5, 0, p;\n"
      "@q clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %0, answer;\n"
      "@q clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %1, answer;\n"
      "@q clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128 %2, answer;\n}"
      : "=&r"(first.x), "=&r"(first.y), "=&r"(first.z)
      : "r"(answer), "r"(none), "r"(apart)
      : "memory");
  return first;
}

__device__ inline void cp_async_bulk_commit_group() {
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
__device__ inline void cp_async_bulk_wait_group_0() {
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
/// All but the latest `pending` groups of this thread have read their sources.
template <int pending>
__device__ inline void cp_async_bulk_wait_group_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}

__device__ inline void trap() {
  asm volatile("trap;");
}

/// The 96-byte swizzle, which only sm_103a has, and only through this instruction.
__device__ inline void tensormap_replace_swizzle_mode_96B(void* map) {
  asm volatile("trap; // assay.forms tensormap.replace.swizzle_96b, 0, %0;" ::"l"(map) : "memory");
}
/// Of a map of two dimensions in shared memory: where it begins, and its extents.
__device__ inline void replace_map(uint32_t map, const void* address, uint32_t columns, uint32_t rows,
                                   uint64_t pitch) {
  asm volatile(
      "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;\n"
      "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, %2;\n"
      "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %3;\n"
      "tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %4;" ::"r"(map),
      "l"(address), "r"(columns), "r"(rows), "l"(pitch)
      : "memory");
}
/// By a whole warp.
__device__ inline void tensormap_cp_fenceproxy_gpu(void* to, uint32_t from) {
  asm volatile(
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], "
      "128;" ::"l"(to),
      "r"(from)
      : "memory");
}
__device__ inline void prefetch_tensormap(const void* map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
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
/// Of a map of any rank.
__device__ inline void load_tile(uint32_t rank, uint32_t to, const void* map, const Coordinates& at,
                                 uint32_t barrier) {
  if (rank == 1)
    asm volatile(
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3}], "
        "[%2];" ::"r"(to),
        "l"(map), "r"(barrier), "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "r"(at.c[4])
        : "memory");
  if (rank == 2)
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
        "%4}], [%2];" ::"r"(to),
        "l"(map), "r"(barrier), "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "r"(at.c[4])
        : "memory");
  if (rank == 3)
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
        "%4, %5}], [%2];" ::"r"(to),
        "l"(map), "r"(barrier), "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "r"(at.c[4])
        : "memory");
  if (rank == 4)
    asm volatile(
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
        "%4, %5, %6}], [%2];" ::"r"(to),
        "l"(map), "r"(barrier), "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "r"(at.c[4])
        : "memory");
  if (rank == 5)
    asm volatile(
        "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, "
        "%4, %5, %6, %7}], [%2];" ::"r"(to),
        "l"(map), "r"(barrier), "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "r"(at.c[4])
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

/// Loads of a CTA of a pair: the completion goes to the CTA of the pair whose parity `barrier` has.
__device__ inline void load_2d_pair(uint32_t to, const void* map, const Coordinates& at, uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::2 "
      "[%0], [%1, {%3, %4}], [%2];" ::"r"(to),
      "l"(map), "r"(barrier), "r"(at.c[0]), "r"(at.c[1])
      : "memory");
}
__device__ inline void load_multicast_2d_pair(uint32_t to, const void* map, const Coordinates& at,
                                              uint32_t barrier, uint16_t mask) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"
      ".cta_group::2 [%0], [%1, {%4, %5}], [%2], %3;" ::"r"(to),
      "l"(map), "r"(barrier), "h"(mask), "r"(at.c[0]), "r"(at.c[1])
      : "memory");
}

__device__ inline void reduce_add_2d(const void* map, const Coordinates& at, uint32_t from) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
          map),
      "r"(from), "r"(at.c[0]), "r"(at.c[1])
      : "memory");
}
__device__ inline void reduce_max_2d(const void* map, const Coordinates& at, uint32_t from) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
          map),
      "r"(from), "r"(at.c[0]), "r"(at.c[1])
      : "memory");
}
__device__ inline void reduce_or_2d(const void* map, const Coordinates& at, uint32_t from) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta.or.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
      "r"(from), "r"(at.c[0]), "r"(at.c[1])
      : "memory");
}
__device__ inline void reduce_xor_2d(const void* map, const Coordinates& at, uint32_t from) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta.xor.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
          map),
      "r"(from), "r"(at.c[0]), "r"(at.c[1])
      : "memory");
}

// tcgen05. Tensor memory addresses are lane << 16 | column; what is .sync.aligned is for whole warps.

/// Writes the address of `columns` columns to shared memory. Waits until they are free.
template <int group>
__device__ inline void tcgen05_alloc(uint32_t destination, uint32_t columns) {
  asm volatile("tcgen05.alloc.cta_group::%2.sync.aligned.shared::cta.b32 [%0], %1;" ::"r"(destination),
               "r"(columns), "n"(group)
               : "memory");
}
/// The same at a generic address.
__device__ inline void tcgen05_alloc_generic(uint64_t destination, uint32_t columns) {
  asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.b32 [%0], %1;" ::"l"(destination), "r"(columns)
               : "memory");
}
template <int group>
__device__ inline void tcgen05_dealloc(uint32_t address, uint32_t columns) {
  asm volatile("tcgen05.dealloc.cta_group::%2.sync.aligned.b32 %0, %1;" ::"r"(address), "r"(columns),
               "n"(group));
}
template <int group>
__device__ inline void tcgen05_relinquish_alloc_permit() {
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::%0.sync.aligned;" ::"n"(group));
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
  asm volatile("tcgen05.commit.cta_group::%1.mbarrier::arrive::one.shared::cluster.b64 [%0];" ::"r"(barrier),
               "n"(group)
               : "memory");
}
/// The same for the barrier at a generic address.
__device__ inline void tcgen05_commit_generic(uint64_t barrier) {
  asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%0];" ::"l"(barrier) : "memory");
}
/// tcgen05_commit to the same barrier of every CTA of the mask.
template <int group>
__device__ inline void tcgen05_commit_multicast(uint32_t barrier, uint16_t mask) {
  asm volatile(
      "tcgen05.commit.cta_group::%2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], "
      "%1;" ::"r"(barrier),
      "h"(mask), "n"(group)
      : "memory");
}

/// 128 rows of 16 bytes to four columns; of a pair, in both CTAs.
template <int group>
__device__ inline void tcgen05_cp_128x128b(uint32_t to, uint64_t descriptor) {
  asm volatile("tcgen05.cp.cta_group::%2.128x128b [%0], %1;" ::"r"(to), "l"(descriptor), "n"(group)
               : "memory");
}
/// 32 rows of 16 bytes to four columns of each partition of the lanes; of a pair, in both CTAs.
template <int group>
__device__ inline void tcgen05_cp_32x128b(uint32_t to, uint64_t descriptor) {
  asm volatile("tcgen05.cp.cta_group::%2.32x128b.warpx4 [%0], %1;" ::"r"(to), "l"(descriptor), "n"(group)
               : "memory");
}
template <int group>
__device__ inline void tcgen05_shift_down(uint32_t address) {
  asm volatile("tcgen05.shift.cta_group::%1.down [%0];" ::"r"(address), "n"(group) : "memory");
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
