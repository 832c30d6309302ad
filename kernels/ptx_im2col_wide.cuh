#pragma once

#include "kernels/ptx.cuh"

/// The tensor copies in modes im2col::w and im2col::w::128, a function for each spelling.
namespace assay::ptx {

/// wHalo, wOffset.
struct WideOffsets {
  uint16_t halo, offset;
};

/// Modes and ranks differ in the spelling and in how many coordinates they take. C<n>, O<n>: the operand
/// numbers of coordinates and of wHalo and wOffset behind n other operands; the last arguments are the
/// coordinates.
#define ASSAY_WIDE_LOAD(NAME, R, MODE, SPACE, C3, O3, C4, O4, ...)                                  \
  __device__ inline void NAME##_##R##d(uint32_t dst, const void* map, const Coordinates& at,        \
                                       const WideOffsets& by, uint32_t bar) {                       \
    asm volatile("cp.async.bulk.tensor." #R "d." SPACE ".global." MODE                              \
                 ".mbarrier::complete_tx::bytes "                                                   \
                 "[%0], [%1, " C3 "], [%2], " O3 ";" ::"r"(dst),                                    \
                 "l"(map), "r"(bar), __VA_ARGS__, "h"(by.halo), "h"(by.offset)                      \
                 : "memory");                                                                       \
  }                                                                                                 \
  __device__ inline void NAME##_hint_##R##d(uint32_t dst, const void* map, const Coordinates& at,   \
                                            const WideOffsets& by, uint32_t bar, uint64_t policy) { \
    asm volatile("cp.async.bulk.tensor." #R "d." SPACE ".global." MODE                              \
                 ".mbarrier::complete_tx::bytes"                                                    \
                 ".L2::cache_hint [%0], [%1, " C4 "], [%2], " O4 ", %3;" ::"r"(dst),                \
                 "l"(map), "r"(bar), "l"(policy), __VA_ARGS__, "h"(by.halo), "h"(by.offset)         \
                 : "memory");                                                                       \
  }
#define ASSAY_WIDE_MULTICAST(NAME, R, MODE, GROUP, C4, O4, C5, O5, ...)                                    \
  __device__ inline void NAME##_##R##d(uint32_t dst, const void* map, const Coordinates& at,               \
                                       const WideOffsets& by, uint32_t bar, uint16_t mask) {               \
    asm volatile("cp.async.bulk.tensor." #R "d.shared::cluster.global." MODE                               \
                 ".mbarrier::complete_tx::bytes.multicast::cluster" GROUP " [%0], [%1, " C4 "], [%2], " O4 \
                 ", %3;" ::"r"(dst),                                                                       \
                 "l"(map), "r"(bar), "h"(mask), __VA_ARGS__, "h"(by.halo), "h"(by.offset)                  \
                 : "memory");                                                                              \
  }                                                                                                        \
  __device__ inline void NAME##_hint_##R##d(uint32_t dst, const void* map, const Coordinates& at,          \
                                            const WideOffsets& by, uint32_t bar, uint16_t mask,            \
                                            uint64_t policy) {                                             \
    asm volatile("cp.async.bulk.tensor." #R "d.shared::cluster.global." MODE                               \
                 ".mbarrier::complete_tx::bytes.multicast::cluster" GROUP ".L2::cache_hint [%0], [%1, " C5 \
                 "], [%2], " O5 ", %3, %4;" ::"r"(dst),                                                    \
                 "l"(map), "r"(bar), "h"(mask), "l"(policy), __VA_ARGS__, "h"(by.halo), "h"(by.offset)     \
                 : "memory");                                                                              \
  }
/// All of a mode and rank.
#define ASSAY_WIDE_COPIES(PREFIX, R, MODE, C1, O1, C3, O3, C4, O4, C5, O5, ...)                           \
  ASSAY_WIDE_LOAD(PREFIX##_load, R, MODE, "shared::cluster", C3, O3, C4, O4, __VA_ARGS__)                 \
  ASSAY_WIDE_LOAD(PREFIX##_load_cta, R, MODE, "shared::cta", C3, O3, C4, O4, __VA_ARGS__)                 \
  ASSAY_WIDE_MULTICAST(PREFIX##_multicast, R, MODE, "", C4, O4, C5, O5, __VA_ARGS__)                      \
  ASSAY_WIDE_MULTICAST(PREFIX##_multicast_group_1, R, MODE, ".cta_group::1", C4, O4, C5, O5, __VA_ARGS__) \
  ASSAY_WIDE_MULTICAST(PREFIX##_multicast_group_2, R, MODE, ".cta_group::2", C4, O4, C5, O5, __VA_ARGS__) \
  __device__ inline void PREFIX##_prefetch_##R##d(const void* map, const Coordinates& at,                 \
                                                  const WideOffsets& by) {                                \
    asm volatile("cp.async.bulk.prefetch.tensor." #R "d.L2.global." MODE " [%0, " C1 "], " O1             \
                 ";" ::"l"(map),                                                                          \
                 __VA_ARGS__, "h"(by.halo), "h"(by.offset)                                                \
                 : "memory");                                                                             \
  }
#define ASSAY_WIDE_RANKS(PREFIX, MODE)                                                                       \
  ASSAY_WIDE_COPIES(PREFIX, 3, MODE, "{%1, %2, %3}", "{%4, %5}", "{%3, %4, %5}", "{%6, %7}", "{%4, %5, %6}", \
                    "{%7, %8}", "{%5, %6, %7}", "{%8, %9}", "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]))        \
  ASSAY_WIDE_COPIES(PREFIX, 4, MODE, "{%1, %2, %3, %4}", "{%5, %6}", "{%3, %4, %5, %6}", "{%7, %8}",         \
                    "{%4, %5, %6, %7}", "{%8, %9}", "{%5, %6, %7, %8}", "{%9, %10}", "r"(at.c[0]),           \
                    "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]))                                                \
  ASSAY_WIDE_COPIES(PREFIX, 5, MODE, "{%1, %2, %3, %4, %5}", "{%6, %7}", "{%3, %4, %5, %6, %7}", "{%8, %9}", \
                    "{%4, %5, %6, %7, %8}", "{%9, %10}", "{%5, %6, %7, %8, %9}", "{%10, %11}", "r"(at.c[0]), \
                    "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "r"(at.c[4]))

ASSAY_WIDE_RANKS(w, "im2col::w")
ASSAY_WIDE_RANKS(w_128, "im2col::w::128")
#undef ASSAY_WIDE_RANKS
#undef ASSAY_WIDE_COPIES
#undef ASSAY_WIDE_MULTICAST
#undef ASSAY_WIDE_LOAD

}  // namespace assay::ptx
