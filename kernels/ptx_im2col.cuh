#pragma once

#include "kernels/ptx.cuh"

/// The tensor copies in im2col mode, a function for each spelling.
namespace assay::ptx {

/// W, H, D.
struct Im2colOffsets {
  uint16_t o[3];
};

/// Ranks differ in the spelling and in how many coordinates and offsets they take. C<n>, O<n>: the operand
/// numbers of coordinates and offsets behind n other operands. The last arguments are those operands:
/// coordinates in brackets, then coordinates and offsets.
#define ASSAY_IM2COL_COPIES(R, C1, O1, C2, C3, O3, C4, O4, C5, O5, STORED, ...)                             \
  __device__ inline void im2col_load_##R##d(uint32_t dst, const void* map, const Coordinates& at,           \
                                            const Im2colOffsets& by, uint32_t bar) {                        \
    asm volatile("cp.async.bulk.tensor." #R                                                                 \
                 "d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "                            \
                 "[%0], [%1, " C3 "], [%2], " O3 ";" ::"r"(dst),                                            \
                 "l"(map), "r"(bar), __VA_ARGS__                                                            \
                 : "memory");                                                                               \
  }                                                                                                         \
  __device__ inline void im2col_load_cta_##R##d(uint32_t dst, const void* map, const Coordinates& at,       \
                                                const Im2colOffsets& by, uint32_t bar) {                    \
    asm volatile("cp.async.bulk.tensor." #R                                                                 \
                 "d.shared::cta.global.im2col.mbarrier::complete_tx::bytes "                                \
                 "[%0], [%1, " C3 "], [%2], " O3 ";" ::"r"(dst),                                            \
                 "l"(map), "r"(bar), __VA_ARGS__                                                            \
                 : "memory");                                                                               \
  }                                                                                                         \
  __device__ inline void im2col_load_hint_##R##d(uint32_t dst, const void* map, const Coordinates& at,      \
                                                 const Im2colOffsets& by, uint32_t bar, uint64_t policy) {  \
    asm volatile("cp.async.bulk.tensor." #R                                                                 \
                 "d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"                             \
                 ".L2::cache_hint [%0], [%1, " C4 "], [%2], " O4 ", %3;" ::"r"(dst),                        \
                 "l"(map), "r"(bar), "l"(policy), __VA_ARGS__                                               \
                 : "memory");                                                                               \
  }                                                                                                         \
  __device__ inline void im2col_load_cta_hint_##R##d(uint32_t dst, const void* map, const Coordinates& at,  \
                                                     const Im2colOffsets& by, uint32_t bar,                 \
                                                     uint64_t policy) {                                     \
    asm volatile("cp.async.bulk.tensor." #R                                                                 \
                 "d.shared::cta.global.im2col.mbarrier::complete_tx::bytes"                                 \
                 ".L2::cache_hint [%0], [%1, " C4 "], [%2], " O4 ", %3;" ::"r"(dst),                        \
                 "l"(map), "r"(bar), "l"(policy), __VA_ARGS__                                               \
                 : "memory");                                                                               \
  }                                                                                                         \
  __device__ inline void im2col_load_multicast_##R##d(uint32_t dst, const void* map, const Coordinates& at, \
                                                      const Im2colOffsets& by, uint32_t bar,                \
                                                      uint16_t mask) {                                      \
    asm volatile("cp.async.bulk.tensor." #R                                                                 \
                 "d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"                             \
                 ".multicast::cluster [%0], [%1, " C4 "], [%2], " O4 ", %3;" ::"r"(dst),                    \
                 "l"(map), "r"(bar), "h"(mask), __VA_ARGS__                                                 \
                 : "memory");                                                                               \
  }                                                                                                         \
  __device__ inline void im2col_load_multicast_hint_##R##d(uint32_t dst, const void* map,                   \
                                                           const Coordinates& at, const Im2colOffsets& by,  \
                                                           uint32_t bar, uint16_t mask, uint64_t policy) {  \
    asm volatile("cp.async.bulk.tensor." #R                                                                 \
                 "d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"                             \
                 ".multicast::cluster.L2::cache_hint [%0], [%1, " C5 "], [%2], " O5 ", %3, %4;" ::"r"(dst), \
                 "l"(map), "r"(bar), "h"(mask), "l"(policy), __VA_ARGS__                                    \
                 : "memory");                                                                               \
  }                                                                                                         \
  __device__ inline void im2col_store_##R##d(const void* map, const Coordinates& at, uint32_t src) {        \
    asm volatile("cp.async.bulk.tensor." #R "d.global.shared::cta.im2col_no_offs.bulk_group [%0, " C2       \
                 "], [%1];" ::"l"(map),                                                                     \
                 "r"(src), ASSAY_OPEN STORED                                                                \
                 : "memory");                                                                               \
  }                                                                                                         \
  __device__ inline void im2col_store_hint_##R##d(const void* map, const Coordinates& at, uint32_t src,     \
                                                  uint64_t policy) {                                        \
    asm volatile("cp.async.bulk.tensor." #R                                                                 \
                 "d.global.shared::cta.im2col_no_offs.bulk_group.L2::cache_hint [%0, " C3                   \
                 "], [%1], %2;" ::"l"(map),                                                                 \
                 "r"(src), "l"(policy), ASSAY_OPEN STORED                                                   \
                 : "memory");                                                                               \
  }                                                                                                         \
  __device__ inline void im2col_prefetch_##R##d(const void* map, const Coordinates& at,                     \
                                                const Im2colOffsets& by) {                                  \
    asm volatile("cp.async.bulk.prefetch.tensor." #R "d.L2.global.im2col [%0, " C1 "], " O1 ";" ::"l"(map), \
                 __VA_ARGS__                                                                                \
                 : "memory");                                                                               \
  }
#define ASSAY_OPEN(...) __VA_ARGS__

ASSAY_IM2COL_COPIES(3, "{%1, %2, %3}", "{%4}", "{%2, %3, %4}", "{%3, %4, %5}", "{%6}", "{%4, %5, %6}", "{%7}",
                    "{%5, %6, %7}", "{%8}", ("r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2])), "r"(at.c[0]),
                    "r"(at.c[1]), "r"(at.c[2]), "h"(by.o[0]))
ASSAY_IM2COL_COPIES(4, "{%1, %2, %3, %4}", "{%5, %6}", "{%2, %3, %4, %5}", "{%3, %4, %5, %6}", "{%7, %8}",
                    "{%4, %5, %6, %7}", "{%8, %9}", "{%5, %6, %7, %8}", "{%9, %10}",
                    ("r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3])), "r"(at.c[0]), "r"(at.c[1]),
                    "r"(at.c[2]), "r"(at.c[3]), "h"(by.o[0]), "h"(by.o[1]))
ASSAY_IM2COL_COPIES(5, "{%1, %2, %3, %4, %5}", "{%6, %7, %8}", "{%2, %3, %4, %5, %6}", "{%3, %4, %5, %6, %7}",
                    "{%8, %9, %10}", "{%4, %5, %6, %7, %8}", "{%9, %10, %11}", "{%5, %6, %7, %8, %9}",
                    "{%10, %11, %12}", ("r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "r"(at.c[4])),
                    "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "r"(at.c[4]), "h"(by.o[0]),
                    "h"(by.o[1]), "h"(by.o[2]))
#undef ASSAY_OPEN
#undef ASSAY_IM2COL_COPIES

}  // namespace assay::ptx
