// SPDX-License-Identifier: Apache-2.0
#include "kernels/operands.cuh"
#include "kernels/params/tcgen05.h"
#include "kernels/tmem/tmem_access.cuh"

/// Batched probes of tcgen05.ld and tcgen05.st: one record is one instruction by each of the last four warps.
/// All records of a launch allocate the same number of columns.
namespace assay {
/// Named, so that the text that nvcc writes holds no hash of this file's path.
namespace probe {

using params::TmemAccessRecord;

struct Shared {
  uint32_t next;  ///< record index that the CTA is at
  uint32_t tmem;  ///< address of the allocation
};

template <bool is_store>
__device__ void run(const BatchArgs& args) {
  __shared__ Shared shared;
  const TmemAccessRecord* const records = static_cast<const TmemAccessRecord*>(args.records);
  const uint32_t columns = records[args.indexes[0]].alloc_columns;
  const uint32_t window = window_address();
  const bool leader = threadIdx.x == 0;
  // 0 to 127 in the warps that run the records, above in the others.
  const uint32_t thread = threadIdx.x + probe_threads - blockDim.x;
  uint32_t* const note = args.notes + args.first_note + blockIdx.x;
  if (threadIdx.x < 32) {
    ptx::tcgen05_alloc<1>(ptx::shared_address(&shared.tmem), columns);
    ptx::tcgen05_relinquish_alloc_permit<1>();
  }
  ptx::tcgen05_fence_before_thread_sync();
  __syncthreads();
  ptx::tcgen05_fence_after_thread_sync();
  const uint32_t tmem = shared.tmem;
  for (;;) {
    if (leader) {
      const uint32_t index = take(args);
      if (index != ~0u) note_start(note, index);
      shared.next = index;
    }
    __syncthreads();
    const uint32_t current = shared.next;
    if (current == ~0u) break;
    const TmemAccessRecord& r = records[current];
    // Warp w fills, accesses and reads back its own lanes only: the waits below are all the order there is.
    if (thread < probe_threads) {
      fill_tensor_memory(tmem, columns, 0, columns, r.d_fill, thread);
      if constexpr (is_store)
        fill_operands(window, 0, probe_threads * params::tmem_registers * 4, r.register_fill, thread);
      ptx::tcgen05_wait_st();
    }
    __syncthreads();
    if (thread < probe_threads) {
      unsigned char* const output = static_cast<unsigned char*>(args.output) + r.output_offset;
      const uint32_t thread_offset = thread * params::tmem_registers * 4;
      const uint32_t named_warp = r.one_address != 0 ? r.one_address - 1 : thread / 32;
      const uint32_t address = tmem + r.taddr + (named_warp << 21);
      if constexpr (is_store) {
        ptx::tcgen05_st(window + thread_offset, r.opcode, address);
        ptx::tcgen05_wait_st();
        read_tensor_memory(output, tmem, columns, thread);
      } else {
        ptx::tcgen05_ld(output + thread_offset, r.opcode, address);
      }
    }
    __syncthreads();
    if (leader) {
      write_end(args, current, params::probe_done);
      note_clear(note);
    }
  }
  ptx::tcgen05_fence_before_thread_sync();
  __syncthreads();
  ptx::tcgen05_fence_after_thread_sync();
  if (threadIdx.x < 32) ptx::tcgen05_dealloc<1>(tmem, columns);
}

}  // namespace probe

using probe::BatchArgs;
using probe::probe_threads;

extern "C" __global__ void __launch_bounds__(32 * params::most_access_warps)
    tmem_ld(const __grid_constant__ BatchArgs args) {
  probe::run<false>(args);
}
extern "C" __global__ void __launch_bounds__(32 * params::most_access_warps)
    tmem_st(const __grid_constant__ BatchArgs args) {
  probe::run<true>(args);
}

}  // namespace assay
