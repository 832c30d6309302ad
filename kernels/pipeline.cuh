#pragma once

#include "kernels/ptx.cuh"
#include "kernels/tcgen05.cuh"

/// PTX spellings that only whole pipelines use.
namespace assay::ptx {

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
__device__ inline void prefetch_tensormap(const void* map) {
  asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
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
__device__ inline void mbarrier_arrive_cluster(uint32_t barrier) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(barrier) : "memory");
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
/// A place in the grid.
struct CtaId {
  uint32_t x, y, z;
};
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

/// CTAs of a cluster along each axis.
__device__ inline CtaId cluster_nctaid() {
  CtaId extent;
  asm("mov.u32 %0, %%cluster_nctaid.x;\n"
      "mov.u32 %1, %%cluster_nctaid.y;\n"
      "mov.u32 %2, %%cluster_nctaid.z;"
      : "=r"(extent.x), "=r"(extent.y), "=r"(extent.z));
  return extent;
}

/// Loads of a CTA of a pair: the completion goes to the CTA of the pair whose parity `barrier` has.
__device__ inline void load_2d_pair(uint32_t destination, const void* map, const Coordinates& at,
                                    uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::2 "
      "[%0], [%1, {%3, %4}], [%2];" ::"r"(destination),
      "l"(map), "r"(barrier), "r"(at.c[0]), "r"(at.c[1])
      : "memory");
}
__device__ inline void load_multicast_2d_pair(uint32_t destination, const void* map, const Coordinates& at,
                                              uint32_t barrier, uint16_t mask) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"
      ".cta_group::2 [%0], [%1, {%4, %5}], [%2], %3;" ::"r"(destination),
      "l"(map), "r"(barrier), "h"(mask), "r"(at.c[0]), "r"(at.c[1])
      : "memory");
}

/// Adds a box of f32 to the tensor.
__device__ inline void reduce_add_2d(const void* map, const Coordinates& at, uint32_t from) {
  asm volatile(
      "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%2, %3}], [%1];" ::"l"(
          map),
      "r"(from), "r"(at.c[0]), "r"(at.c[1])
      : "memory");
}
/// All but the latest `pending` stores of this thread have read their source.
template <int pending>
__device__ inline void cp_async_bulk_wait_group_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
}

/// D = A * B, + D if `accumulates`, by opcode: the forms are rows of kernels/forms/pipeline_mma.cc.
template <int group>
__device__ inline void tcgen05_mma_stage(uint32_t opcode, uint32_t d, uint64_t a, uint64_t b, uint32_t idesc,
                                         uint32_t a_scales, uint32_t b_scales, bool accumulates) {
  if constexpr (group == 1)
    asm volatile("trap; // assay.forms pipeline.mma, %0, %1, %2, %3, %4, %5, %6, %7;" ::"r"(opcode), "r"(d),
                 "l"(a), "l"(b), "r"(idesc), "r"(a_scales), "r"(b_scales),
                 "r"(static_cast<uint32_t>(accumulates))
                 : "memory");
  else
    asm volatile("trap; // assay.forms pipeline.mma.pair, %0, %1, %2, %3, %4, %5, %6, %7;" ::"r"(opcode),
                 "r"(d), "l"(a), "l"(b), "r"(idesc), "r"(a_scales), "r"(b_scales),
                 "r"(static_cast<uint32_t>(accumulates))
                 : "memory");
}
/// 128 rows of 16 bytes to four columns; of a pair, in both CTAs.
template <int group>
__device__ inline void tcgen05_cp_128x128b(uint32_t to, uint64_t descriptor) {
  if constexpr (group == 1)
    asm volatile("tcgen05.cp.cta_group::1.128x128b [%0], %1;" ::"r"(to), "l"(descriptor) : "memory");
  else
    asm volatile("tcgen05.cp.cta_group::2.128x128b [%0], %1;" ::"r"(to), "l"(descriptor) : "memory");
}
/// 32 rows of 16 bytes to four columns of each partition of the lanes; of a pair, in both CTAs.
template <int group>
__device__ inline void tcgen05_cp_32x128b(uint32_t to, uint64_t descriptor) {
  if constexpr (group == 1)
    asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4 [%0], %1;" ::"r"(to), "l"(descriptor) : "memory");
  else
    asm volatile("tcgen05.cp.cta_group::2.32x128b.warpx4 [%0], %1;" ::"r"(to), "l"(descriptor) : "memory");
}

/// tcgen05_commit to the same barrier of every CTA of the mask.
template <int group>
__device__ inline void tcgen05_commit_multicast(uint32_t barrier, uint16_t mask) {
  if constexpr (group == 1)
    asm volatile(
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], "
        "%1;" ::"r"(barrier),
        "h"(mask)
        : "memory");
  else
    asm volatile(
        "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [%0], "
        "%1;" ::"r"(barrier),
        "h"(mask)
        : "memory");
}

}  // namespace assay::ptx
