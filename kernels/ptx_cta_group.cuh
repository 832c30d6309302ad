#pragma once

#include "kernels/ptx_im2col.cuh"
#include "kernels/ptx_im2col_wide.cuh"

/// Loads with .cta_group: those in mode im2col, multicast and to one CTA, and those along W to one CTA.
namespace assay::ptx {

/// C<n>, O<n>: the operand numbers of coordinates and offsets behind n other operands, which are the last
/// arguments.
#define ASSAY_GROUP_LOAD(NAME, R, MODE, GROUP, OFFSETS, C3, O3, ...)                                    \
  __device__ inline void NAME##_##R##d(uint32_t dst, const void* map, const Coordinates& at,            \
                                       const OFFSETS& by, uint32_t bar) {                               \
    asm volatile("cp.async.bulk.tensor." #R "d.shared::cluster.global." MODE                            \
                 ".mbarrier::complete_tx::bytes" GROUP " [%0], [%1, " C3 "], [%2], " O3 ";" ::"r"(dst), \
                 "l"(map), "r"(bar), __VA_ARGS__                                                        \
                 : "memory");                                                                           \
  }
#define ASSAY_GROUP_MULTICAST(NAME, R, GROUP, C4, O4, ...)                                               \
  __device__ inline void NAME##_##R##d(uint32_t dst, const void* map, const Coordinates& at,             \
                                       const Im2colOffsets& by, uint32_t bar, uint16_t mask) {           \
    asm volatile("cp.async.bulk.tensor." #R                                                              \
                 "d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster" GROUP \
                 " [%0], [%1, " C4 "], [%2], " O4 ", %3;" ::"r"(dst),                                    \
                 "l"(map), "r"(bar), "h"(mask), __VA_ARGS__                                              \
                 : "memory");                                                                            \
  }
#define ASSAY_IM2COL_GROUPS(R, C3, O3, C4, O4, ...)                                                  \
  ASSAY_GROUP_LOAD(im2col_group_1, R, "im2col", ".cta_group::1", Im2colOffsets, C3, O3, __VA_ARGS__) \
  ASSAY_GROUP_LOAD(im2col_group_2, R, "im2col", ".cta_group::2", Im2colOffsets, C3, O3, __VA_ARGS__) \
  ASSAY_GROUP_MULTICAST(im2col_multicast_group_1, R, ".cta_group::1", C4, O4, __VA_ARGS__)           \
  ASSAY_GROUP_MULTICAST(im2col_multicast_group_2, R, ".cta_group::2", C4, O4, __VA_ARGS__)

ASSAY_IM2COL_GROUPS(3, "{%3, %4, %5}", "{%6}", "{%4, %5, %6}", "{%7}", "r"(at.c[0]), "r"(at.c[1]),
                    "r"(at.c[2]), "h"(by.o[0]))
ASSAY_IM2COL_GROUPS(4, "{%3, %4, %5, %6}", "{%7, %8}", "{%4, %5, %6, %7}", "{%8, %9}", "r"(at.c[0]),
                    "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "h"(by.o[0]), "h"(by.o[1]))
ASSAY_IM2COL_GROUPS(5, "{%3, %4, %5, %6, %7}", "{%8, %9, %10}", "{%4, %5, %6, %7, %8}", "{%9, %10, %11}",
                    "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "r"(at.c[4]), "h"(by.o[0]),
                    "h"(by.o[1]), "h"(by.o[2]))

#define ASSAY_WIDE_GROUPS(PREFIX, R, MODE, C3, O3, ...)                                          \
  ASSAY_GROUP_LOAD(PREFIX##_group_1, R, MODE, ".cta_group::1", WideOffsets, C3, O3, __VA_ARGS__, \
                   "h"(by.halo), "h"(by.offset))                                                 \
  ASSAY_GROUP_LOAD(PREFIX##_group_2, R, MODE, ".cta_group::2", WideOffsets, C3, O3, __VA_ARGS__, \
                   "h"(by.halo), "h"(by.offset))
#define ASSAY_WIDE_GROUP_RANKS(PREFIX, MODE)                                                               \
  ASSAY_WIDE_GROUPS(PREFIX, 3, MODE, "{%3, %4, %5}", "{%6, %7}", "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2])) \
  ASSAY_WIDE_GROUPS(PREFIX, 4, MODE, "{%3, %4, %5, %6}", "{%7, %8}", "r"(at.c[0]), "r"(at.c[1]),           \
                    "r"(at.c[2]), "r"(at.c[3]))                                                            \
  ASSAY_WIDE_GROUPS(PREFIX, 5, MODE, "{%3, %4, %5, %6, %7}", "{%8, %9}", "r"(at.c[0]), "r"(at.c[1]),       \
                    "r"(at.c[2]), "r"(at.c[3]), "r"(at.c[4]))
ASSAY_WIDE_GROUP_RANKS(w, "im2col::w")
ASSAY_WIDE_GROUP_RANKS(w_128, "im2col::w::128")
#undef ASSAY_WIDE_GROUP_RANKS
#undef ASSAY_WIDE_GROUPS
#undef ASSAY_IM2COL_GROUPS
#undef ASSAY_GROUP_MULTICAST
#undef ASSAY_GROUP_LOAD

}  // namespace assay::ptx
