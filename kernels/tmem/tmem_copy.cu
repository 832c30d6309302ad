// SPDX-License-Identifier: Apache-2.0
#include "kernels/pair.cuh"
#include "kernels/params/tmem_copy.h"
#include "kernels/tmem/tmem_copy.cuh"

/// Batched probes of tcgen05.cp and tcgen05.shift: one record is a short program of them by one thread. All
/// records of a launch allocate the same number of columns.
namespace assay {
/// Named, so that the text that nvcc writes holds no hash of this file's path.
namespace probe {

using params::TmemCopyRecord;

struct Shared {
  alignas(8) uint64_t barrier;
  uint32_t next;       ///< record index that the CTA (pair) is at
  uint32_t abandoned;  ///< a commit never completed: this CTA (pair) takes no more records
  uint32_t tmem;       ///< address of the allocation
  uint32_t parity;     ///< of the next commit, whichever thread waits for it
};

template <int group>
__device__ bool await(uint32_t barrier, uint32_t& parity) {
  ptx::tcgen05_commit<group>(barrier);
  const bool came = wait_bounded(barrier, parity);
  parity ^= 1;
  ptx::tcgen05_fence_after_thread_sync();
  return came;
}

/// False: a commit never completed.
template <int group>
__device__ bool execute(const TmemCopyRecord& r, uint32_t window, uint32_t tmem, uint32_t barrier,
                        uint32_t& parity) {
#pragma unroll 1
  for (uint32_t i = 0; i < r.move_count; ++i) {
    const params::TmemMoveCommand& move = r.moves[i];
    uint64_t descriptor = relocated(move.descriptor, window);
    uint32_t address = tmem + move.taddr;
#pragma unroll 1
    for (uint32_t j = 0; j < move.count; ++j) {
      if (move.is_shift)
        ptx::tcgen05_shift_down<group>(address);
      else
        ptx::tcgen05_cp<group>(move.opcode, address, descriptor);
      descriptor = advance(descriptor, 0, move.source_step);
      address += move.column_step;
      if (move.waits && !await<group>(barrier, parity)) return false;
    }
  }
  return await<group>(barrier, parity);
}

template <int group>
__device__ void run(const BatchArgs& args) {
  __shared__ Shared shared;
  const TmemCopyRecord* const records = static_cast<const TmemCopyRecord*>(args.records);
  const uint32_t window = window_address();
  const uint32_t barrier = ptx::shared_address(&shared.barrier);
  const uint32_t rank = group == 1 ? 0 : ptx::cluster_ctarank();
  const uint32_t columns = records[args.indexes[0]].alloc_columns;
  const bool leader = threadIdx.x == 0 && rank == 0;
  uint32_t* const note = args.notes + args.first_note + blockIdx.x / group;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(barrier, 1);
    ptx::fence_mbarrier_init();
    shared.abandoned = shared.parity = 0;
  }
  if (threadIdx.x < 32) {
    ptx::tcgen05_alloc<group>(ptx::shared_address(&shared.tmem), columns);
    ptx::tcgen05_relinquish_alloc_permit<group>();
  }
  ptx::tcgen05_fence_before_thread_sync();
  synchronize<group>();
  ptx::tcgen05_fence_after_thread_sync();
  const uint32_t tmem = shared.tmem;
  for (;;) {
    if (leader) {
      const uint32_t index = take(args);
      if (index != ~0u) note_start(note, index);
      tell<group>(shared.next, index);
    }
    synchronize<group>();
    const uint32_t current = shared.next;
    if (current == ~0u) break;
    const TmemCopyRecord& r = records[current];
    unsigned char* const output = static_cast<unsigned char*>(args.output) + r.output_offset;
    fill_operands(window, 0, r.window_bytes, of_rank(r.window_fill, rank));
    fill_tensor_memory(tmem, columns, 0, columns, of_rank(r.d_fill, rank));
    ptx::tcgen05_wait_st();
    ptx::fence_proxy_async_shared_cta();
    ptx::tcgen05_fence_before_thread_sync();
    synchronize<group>();
    if (threadIdx.x == r.issuer_thread && rank == r.odd_cta_issues) {
      ptx::tcgen05_fence_after_thread_sync();
      uint32_t parity = shared.parity;
      if (!execute<group>(r, window, tmem, barrier, parity)) tell<group>(shared.abandoned, 1);
      shared.parity = parity;
      ptx::tcgen05_fence_before_thread_sync();
    }
    synchronize<group>();
    ptx::tcgen05_fence_after_thread_sync();
    read_tensor_memory(output + uint64_t{rank} * 128 * columns * 4, tmem, columns);
    ptx::tcgen05_fence_before_thread_sync();
    synchronize<group>();
    if (leader) {
      write_end(args, current, shared.abandoned ? params::probe_timed_out : params::probe_done);
      note_clear(note);
    }
    if (shared.abandoned) break;
  }
  ptx::tcgen05_fence_after_thread_sync();
  if (threadIdx.x < 32) ptx::tcgen05_dealloc<group>(tmem, columns);
}

}  // namespace probe

using probe::BatchArgs;
using probe::probe_threads;

extern "C" __global__ void __launch_bounds__(probe_threads)
    tmem_copy(const __grid_constant__ BatchArgs args) {
  probe::run<1>(args);
}
/// One record a cluster of two.
extern "C" __global__ void __launch_bounds__(probe_threads)
    tmem_copy_pair(const __grid_constant__ BatchArgs args) {
  probe::run<2>(args);
}

}  // namespace assay
