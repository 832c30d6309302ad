#include <cstddef>

#include "kernels/im2col_reduce.cuh"
#include "kernels/params/im2col_copy.h"
#include "kernels/tensor_copy.cuh"
#include "kernels/tensor_reduce.cuh"

/// Batched probes of cp.reduce.async.bulk.tensor in mode im2col_no_offs: one record is one reduction, of a
/// slot that the probe fills as it does for a store.
namespace assay {
namespace {

using namespace probe;
using params::Im2colCopyRecord;

struct Im2colReduction {
  using Record = Im2colCopyRecord;
  static constexpr uint32_t common = offsetof(Im2colCopyRecord, flags);

  __device__ static void issue_store(const unsigned char* record, const CopyFields& f, const void* map,
                                     uint32_t source) {
    const auto* r = reinterpret_cast<const Im2colCopyRecord*>(record);
    const ptx::Coordinates at{{r->coord[0], r->coord[1], r->coord[2], r->coord[3], r->coord[4]}};
    const auto op = static_cast<params::TensorReduceOp>(r->reduction - 1);
    const bool as_tile = f.flags & params::im2col_as_tile;
    if (f.instruction_rank == 3)
      as_tile ? ptx::reduce_3d(op, map, at, source) : ptx::im2col_reduce_3d(op, map, at, source);
    else if (f.instruction_rank == 4)
      as_tile ? ptx::reduce_4d(op, map, at, source) : ptx::im2col_reduce_4d(op, map, at, source);
    else
      as_tile ? ptx::reduce_5d(op, map, at, source) : ptx::im2col_reduce_5d(op, map, at, source);
  }
};

}  // namespace

extern "C" __global__ void __launch_bounds__(probe_threads)
    tma_im2col_reduce(const __grid_constant__ BatchArgs args) {
  __shared__ CopyShared shared;
  store_records<Im2colReduction>(args, shared);
}

}  // namespace assay
