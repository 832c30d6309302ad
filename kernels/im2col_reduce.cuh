#pragma once

#include "kernels/params/tiled_copy.h"
#include "kernels/ptx.cuh"

/// cp.reduce.async.bulk.tensor in im2col mode, of each rank and operation.
namespace assay::ptx {

#define ASSAY_IM2COL_REDUCTION(R, OP, COORDINATES, ...)                              \
  asm volatile("cp.reduce.async.bulk.tensor." #R "d.global.shared::cta." OP          \
               ".im2col_no_offs.bulk_group [%0, " COORDINATES "], [%1];" ::"l"(map), \
               "r"(src), __VA_ARGS__                                                 \
               : "memory")
/// One function a rank.
#define ASSAY_IM2COL_REDUCTIONS(R, COORDINATES, ...)                                      \
  __device__ inline void im2col_reduce_##R##d(params::TensorReduceOp op, const void* map, \
                                              const Coordinates& at, uint32_t src) {      \
    switch (op) {                                                                         \
      case params::TensorReduceOp::add:                                                   \
        ASSAY_IM2COL_REDUCTION(R, "add", COORDINATES, __VA_ARGS__);                       \
        break;                                                                            \
      case params::TensorReduceOp::min:                                                   \
        ASSAY_IM2COL_REDUCTION(R, "min", COORDINATES, __VA_ARGS__);                       \
        break;                                                                            \
      case params::TensorReduceOp::max:                                                   \
        ASSAY_IM2COL_REDUCTION(R, "max", COORDINATES, __VA_ARGS__);                       \
        break;                                                                            \
      case params::TensorReduceOp::inc:                                                   \
        ASSAY_IM2COL_REDUCTION(R, "inc", COORDINATES, __VA_ARGS__);                       \
        break;                                                                            \
      case params::TensorReduceOp::dec:                                                   \
        ASSAY_IM2COL_REDUCTION(R, "dec", COORDINATES, __VA_ARGS__);                       \
        break;                                                                            \
      case params::TensorReduceOp::bit_and:                                               \
        ASSAY_IM2COL_REDUCTION(R, "and", COORDINATES, __VA_ARGS__);                       \
        break;                                                                            \
      case params::TensorReduceOp::bit_or:                                                \
        ASSAY_IM2COL_REDUCTION(R, "or", COORDINATES, __VA_ARGS__);                        \
        break;                                                                            \
      case params::TensorReduceOp::bit_xor:                                               \
        ASSAY_IM2COL_REDUCTION(R, "xor", COORDINATES, __VA_ARGS__);                       \
        break;                                                                            \
    }                                                                                     \
  }

ASSAY_IM2COL_REDUCTIONS(3, "{%2, %3, %4}", "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]))
ASSAY_IM2COL_REDUCTIONS(4, "{%2, %3, %4, %5}", "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]))
ASSAY_IM2COL_REDUCTIONS(5, "{%2, %3, %4, %5, %6}", "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]),
                        "r"(at.c[4]))
#undef ASSAY_IM2COL_REDUCTIONS
#undef ASSAY_IM2COL_REDUCTION

}  // namespace assay::ptx
