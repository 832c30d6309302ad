#include "kernels/probe.cuh"
#include "kernels/tensor_reduce.cuh"

/// Batched probes of cp.reduce.async.bulk.tensor in tile mode: one record is one reduction, of a slot that
/// the probe fills as it does for a store.
namespace assay {
namespace reduce_probe {

using namespace probe;
using params::TiledCopyRecord;

/// The map of a record, ready for the tensormap proxy: launches reuse the same addresses.
__device__ const void* acquire_map(const params::BatchArgs& args, uint32_t index, uint32_t flags) {
  unsigned char* map = static_cast<unsigned char*>(const_cast<void*>(args.maps)) + 128 * uint64_t{index};
  if (flags & params::tiled_replace_swizzle_96B) {
    ptx::tensormap_replace_swizzle_mode_96B(map);
    ptx::fence_proxy_tensormap_release_gpu();
  }
  ptx::fence_proxy_tensormap_acquire_gpu(map);
  return map;
}

__device__ void issue(const TiledCopyRecord& r, const void* map, uint32_t source) {
  const auto op = static_cast<params::TensorReduceOp>(r.reduction - 1);
  const ptx::Coordinates at{{r.coord[0], r.coord[1], r.coord[2], r.coord[3], r.coord[4]}};
  switch (r.instruction_rank) {
    case 1:
      return ptx::reduce_1d(op, map, at, source);
    case 2:
      return ptx::reduce_2d(op, map, at, source);
    case 3:
      return ptx::reduce_3d(op, map, at, source);
    case 4:
      return ptx::reduce_4d(op, map, at, source);
    default:
      return ptx::reduce_5d(op, map, at, source);
  }
}

}  // namespace reduce_probe

extern "C" __global__ void __launch_bounds__(probe::probe_threads)
    tma_tiled_reduce(const __grid_constant__ params::BatchArgs args) {
  using namespace reduce_probe;
  __shared__ uint32_t next;  // record index that the CTA is at
  const uint32_t window = window_address();
  const bool leader = threadIdx.x == 0;
  uint32_t* const note = args.notes + args.first_note + blockIdx.x;
  for (;;) {
    if (leader) {
      const uint32_t index = take(args);
      next = index;
      if (index != ~0u) note_start(note, index);
    }
    __syncthreads();
    const uint32_t current = next;
    if (current == ~0u) return;
    const TiledCopyRecord& r = static_cast<const TiledCopyRecord*>(args.records)[current];
    const unsigned char* arena = static_cast<const unsigned char*>(args.arena);
    copy_global(static_cast<unsigned char*>(args.output) + r.output_offset, arena + r.slot_fill_offset,
                r.output_bytes);
    fill_window(window, arena + r.fill_offset, r.window_bytes);
    ptx::fence_proxy_async();  // both the slot and the window were written by ordinary stores
    __syncthreads();
    if (leader) {
      issue(r, acquire_map(args, current, r.flags), window + r.tile_offset);
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_0();
      write_end(args, current, params::probe_done);
      note_clear(note);
    }
    __syncthreads();
  }
}

}  // namespace assay
