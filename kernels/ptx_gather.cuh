#pragma once

#include "kernels/ptx.cuh"

/// The tensor copies of four rows, a function for each spelling. Coordinates: the column, then the rows.
namespace assay::ptx {

#define ASSAY_FIVE "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "r"(at.c[4])

/// Loads to one CTA: NAME(dst, map, at, bar) and NAME_hint(..., policy).
#define ASSAY_GATHER4_LOAD(NAME, SPACE, GROUP)                                                               \
  __device__ inline void NAME(uint32_t dst, const void* map, const Coordinates& at, uint32_t bar) {          \
    asm volatile("cp.async.bulk.tensor.2d." SPACE ".global.tile::gather4.mbarrier::complete_tx::bytes" GROUP \
                 " "                                                                                         \
                 "[%0], [%1, {%3, %4, %5, %6, %7}], [%2];" ::"r"(dst),                                       \
                 "l"(map), "r"(bar), ASSAY_FIVE                                                              \
                 : "memory");                                                                                \
  }                                                                                                          \
  __device__ inline void NAME##_hint(uint32_t dst, const void* map, const Coordinates& at, uint32_t bar,     \
                                     uint64_t policy) {                                                      \
    asm volatile("cp.async.bulk.tensor.2d." SPACE ".global.tile::gather4.mbarrier::complete_tx::bytes" GROUP \
                 ".L2::cache_hint [%0], [%1, {%4, %5, %6, %7, %8}], [%2], %3;" ::"r"(dst),                   \
                 "l"(map), "r"(bar), "l"(policy), ASSAY_FIVE                                                 \
                 : "memory");                                                                                \
  }
ASSAY_GATHER4_LOAD(gather4, "shared::cluster", "")
ASSAY_GATHER4_LOAD(gather4_cta, "shared::cta", "")
ASSAY_GATHER4_LOAD(gather4_group_1, "shared::cluster", ".cta_group::1")
ASSAY_GATHER4_LOAD(gather4_group_2, "shared::cluster", ".cta_group::2")
#undef ASSAY_GATHER4_LOAD

/// Multicast loads: NAME(dst, map, at, bar, mask) and NAME_hint(..., policy).
#define ASSAY_GATHER4_MULTICAST(NAME, GROUP)                                                             \
  __device__ inline void NAME(uint32_t dst, const void* map, const Coordinates& at, uint32_t bar,        \
                              uint16_t mask) {                                                           \
    asm volatile(                                                                                        \
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4"                                   \
        ".mbarrier::complete_tx::bytes.multicast::cluster" GROUP                                         \
        " [%0], [%1, {%4, %5, %6, %7, %8}], [%2], %3;" ::"r"(dst),                                       \
        "l"(map), "r"(bar), "h"(mask), ASSAY_FIVE                                                        \
        : "memory");                                                                                     \
  }                                                                                                      \
  __device__ inline void NAME##_hint(uint32_t dst, const void* map, const Coordinates& at, uint32_t bar, \
                                     uint16_t mask, uint64_t policy) {                                   \
    asm volatile(                                                                                        \
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4"                                   \
        ".mbarrier::complete_tx::bytes.multicast::cluster" GROUP                                         \
        ".L2::cache_hint [%0], [%1, {%5, %6, %7, %8, %9}], [%2], %3, %4;" ::"r"(dst),                    \
        "l"(map), "r"(bar), "h"(mask), "l"(policy), ASSAY_FIVE                                           \
        : "memory");                                                                                     \
  }
ASSAY_GATHER4_MULTICAST(gather4_multicast, "")
ASSAY_GATHER4_MULTICAST(gather4_multicast_group_1, ".cta_group::1")
ASSAY_GATHER4_MULTICAST(gather4_multicast_group_2, ".cta_group::2")
#undef ASSAY_GATHER4_MULTICAST

__device__ inline void scatter4(const void* map, const Coordinates& at, uint32_t src) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [%0, {%2, %3, %4, %5, %6}], "
      "[%1];" ::"l"(map),
      "r"(src), ASSAY_FIVE
      : "memory");
}
__device__ inline void scatter4_hint(const void* map, const Coordinates& at, uint32_t src, uint64_t policy) {
  asm volatile(
      "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group.L2::cache_hint "
      "[%0, {%3, %4, %5, %6, %7}], [%1], %2;" ::"l"(map),
      "r"(src), "l"(policy), ASSAY_FIVE
      : "memory");
}
__device__ inline void gather4_prefetch(const void* map, const Coordinates& at) {
  asm volatile(
      "cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 [%0, {%1, %2, %3, %4, %5}];" ::"l"(map),
      ASSAY_FIVE
      : "memory");
}
#undef ASSAY_FIVE

}  // namespace assay::ptx
