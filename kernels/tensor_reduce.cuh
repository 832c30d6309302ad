#pragma once

#include "kernels/params/tiled_copy.h"
#include "kernels/ptx.cuh"

/// cp.reduce.async.bulk.tensor in tile mode, of each rank and operation.
namespace assay::ptx {

#define ASSAY_TENSOR_REDUCTION(R, OP, COORDINATES, ...)                     \
  asm volatile("cp.reduce.async.bulk.tensor." #R "d.global.shared::cta." OP \
               ".tile.bulk_group [%0, " COORDINATES "], [%1];" ::"l"(map),  \
               "r"(src), __VA_ARGS__                                        \
               : "memory")
/// One function a rank.
#define ASSAY_TENSOR_REDUCTIONS(R, COORDINATES, ...)                                                      \
  __device__ inline void reduce_##R##d(params::TensorReduceOp op, const void* map, const Coordinates& at, \
                                       uint32_t src) {                                                    \
    switch (op) {                                                                                         \
      case params::TensorReduceOp::add:                                                                   \
        ASSAY_TENSOR_REDUCTION(R, "add", COORDINATES, __VA_ARGS__);                                       \
        break;                                                                                            \
      case params::TensorReduceOp::min:                                                                   \
        ASSAY_TENSOR_REDUCTION(R, "min", COORDINATES, __VA_ARGS__);                                       \
        break;                                                                                            \
      case params::TensorReduceOp::max:                                                                   \
        ASSAY_TENSOR_REDUCTION(R, "max", COORDINATES, __VA_ARGS__);                                       \
        break;                                                                                            \
      case params::TensorReduceOp::inc:                                                                   \
        ASSAY_TENSOR_REDUCTION(R, "inc", COORDINATES, __VA_ARGS__);                                       \
        break;                                                                                            \
      case params::TensorReduceOp::dec:                                                                   \
        ASSAY_TENSOR_REDUCTION(R, "dec", COORDINATES, __VA_ARGS__);                                       \
        break;                                                                                            \
      case params::TensorReduceOp::bit_and:                                                               \
        ASSAY_TENSOR_REDUCTION(R, "and", COORDINATES, __VA_ARGS__);                                       \
        break;                                                                                            \
      case params::TensorReduceOp::bit_or:                                                                \
        ASSAY_TENSOR_REDUCTION(R, "or", COORDINATES, __VA_ARGS__);                                        \
        break;                                                                                            \
      case params::TensorReduceOp::bit_xor:                                                               \
        ASSAY_TENSOR_REDUCTION(R, "xor", COORDINATES, __VA_ARGS__);                                       \
        break;                                                                                            \
    }                                                                                                     \
  }

ASSAY_TENSOR_REDUCTIONS(1, "{%2}", "r"(at.c[0]))
ASSAY_TENSOR_REDUCTIONS(2, "{%2, %3}", "r"(at.c[0]), "r"(at.c[1]))
ASSAY_TENSOR_REDUCTIONS(3, "{%2, %3, %4}", "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]))
ASSAY_TENSOR_REDUCTIONS(4, "{%2, %3, %4, %5}", "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]))
ASSAY_TENSOR_REDUCTIONS(5, "{%2, %3, %4, %5, %6}", "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]),
                        "r"(at.c[4]))
#undef ASSAY_TENSOR_REDUCTIONS
#undef ASSAY_TENSOR_REDUCTION

}  // namespace assay::ptx
