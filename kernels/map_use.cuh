#pragma once

#include "kernels/params/map_program.h"
#include "kernels/ptx_im2col.cuh"
#include "kernels/tensor_reduce.cuh"

/// The copies that programs on tensor maps make.
namespace assay::map_probe {

__device__ inline bool is_load(const params::MapUse& u) {
  return u.instruction == params::MapInstruction::load ||
         u.instruction == params::MapInstruction::im2col_load;
}

#define ASSAY_BY_IM2COL_RANK(RANK, CALL) \
  if ((RANK) == 3)                       \
    CALL(3);                             \
  else if ((RANK) == 4)                  \
    CALL(4);                             \
  else                                   \
    CALL(5);
#define ASSAY_BY_RANK(RANK, CALL)    \
  if ((RANK) == 1) {                 \
    CALL(1);                         \
  } else if ((RANK) == 2) {          \
    CALL(2);                         \
  } else {                           \
    ASSAY_BY_IM2COL_RANK(RANK, CALL) \
  }

/// `shared`: destination of a load, source of what else there is; `barrier`: of a load.
__device__ inline void issue(const params::MapUse& u, const void* map, uint32_t shared, uint32_t barrier) {
  const ptx::Coordinates at{{u.coord[0], u.coord[1], u.coord[2], u.coord[3], u.coord[4]}};
  const ptx::Im2colOffsets by{{u.offset[0], u.offset[1], u.offset[2]}};
  switch (u.instruction) {
    case params::MapInstruction::load:
#define ASSAY_CALL(R) ptx::load_##R##d(shared, map, at, barrier)
      ASSAY_BY_RANK(u.rank, ASSAY_CALL)
#undef ASSAY_CALL
      break;
    case params::MapInstruction::store:
#define ASSAY_CALL(R) ptx::store_##R##d(map, at, shared)
      ASSAY_BY_RANK(u.rank, ASSAY_CALL)
#undef ASSAY_CALL
      break;
    case params::MapInstruction::add:
#define ASSAY_CALL(R) ptx::reduce_##R##d(params::TensorReduceOp::add, map, at, shared)
      ASSAY_BY_RANK(u.rank, ASSAY_CALL)
#undef ASSAY_CALL
      break;
    case params::MapInstruction::im2col_load:
#define ASSAY_CALL(R) ptx::im2col_load_##R##d(shared, map, at, by, barrier)
      ASSAY_BY_IM2COL_RANK(u.rank, ASSAY_CALL)
#undef ASSAY_CALL
      break;
    case params::MapInstruction::im2col_store:
#define ASSAY_CALL(R) ptx::im2col_store_##R##d(map, at, shared)
      ASSAY_BY_IM2COL_RANK(u.rank, ASSAY_CALL)
#undef ASSAY_CALL
      break;
  }
}
#undef ASSAY_BY_RANK
#undef ASSAY_BY_IM2COL_RANK

}  // namespace assay::map_probe
