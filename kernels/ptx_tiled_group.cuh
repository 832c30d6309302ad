#pragma once

#include "kernels/ptx.cuh"

/// Tiled loads with .cta_group, multicast and to one CTA, a function for each rank and group.
namespace assay::ptx {

/// C<n>: the operand numbers of the coordinates behind n other operands, which are the last arguments.
#define ASSAY_TILED_GROUP(N, R, C3, C4, ...)                                                               \
  __device__ inline void tiled_group_##N##_##R##d(uint32_t dst, const void* map, const Coordinates& at,    \
                                                  uint32_t bar) {                                          \
    asm volatile("cp.async.bulk.tensor." #R                                                                \
                 "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.cta_group::" #N               \
                 " [%0], [%1, " C3 "], [%2];" ::"r"(dst),                                                  \
                 "l"(map), "r"(bar), __VA_ARGS__                                                           \
                 : "memory");                                                                              \
  }                                                                                                        \
  __device__ inline void tiled_multicast_group_##N##_##R##d(                                               \
      uint32_t dst, const void* map, const Coordinates& at, uint32_t bar, uint16_t mask) {                 \
    asm volatile("cp.async.bulk.tensor." #R                                                                \
                 "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster.cta_group" \
                 "::" #N " [%0], [%1, " C4 "], [%2], %3;" ::"r"(dst),                                      \
                 "l"(map), "r"(bar), "h"(mask), __VA_ARGS__                                                \
                 : "memory");                                                                              \
  }
#define ASSAY_TILED_GROUPS(...)     \
  ASSAY_TILED_GROUP(1, __VA_ARGS__) \
  ASSAY_TILED_GROUP(2, __VA_ARGS__)

ASSAY_TILED_GROUPS(1, "{%3}", "{%4}", "r"(at.c[0]))
ASSAY_TILED_GROUPS(2, "{%3, %4}", "{%4, %5}", "r"(at.c[0]), "r"(at.c[1]))
ASSAY_TILED_GROUPS(3, "{%3, %4, %5}", "{%4, %5, %6}", "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]))
ASSAY_TILED_GROUPS(4, "{%3, %4, %5, %6}", "{%4, %5, %6, %7}", "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]),
                   "r"(at.c[3]))
ASSAY_TILED_GROUPS(5, "{%3, %4, %5, %6, %7}", "{%4, %5, %6, %7, %8}", "r"(at.c[0]), "r"(at.c[1]),
                   "r"(at.c[2]), "r"(at.c[3]), "r"(at.c[4]))
#undef ASSAY_TILED_GROUPS
#undef ASSAY_TILED_GROUP

}  // namespace assay::ptx
