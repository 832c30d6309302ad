// SPDX-License-Identifier: Apache-2.0
#include "kernels/operands.cuh"
#include "kernels/params/tmem_ld_red.h"
#include "kernels/tmem/tmem_ld_red.cuh"

/// Batched probes of tcgen05.ld.red: one record is one instruction by each warp. All records of a launch
/// allocate the same number of columns.
namespace assay {
namespace probe {

using params::TmemLdRedRecord;

struct Shared {
  uint32_t next;  ///< record index that the CTA is at
  uint32_t tmem;  ///< address of the allocation
};

}  // namespace probe

extern "C" __global__ void __launch_bounds__(probe::probe_threads)
    tmem_ld_red(const __grid_constant__ params::BatchArgs args) {
  using namespace probe;
  __shared__ Shared shared;
  const TmemLdRedRecord* const records = static_cast<const TmemLdRedRecord*>(args.records);
  const uint32_t columns = records[args.indexes[0]].alloc_columns;
  const bool leader = threadIdx.x == 0;
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
    const TmemLdRedRecord& r = records[current];
    // Warp w fills and reads its own lanes only: the wait is all the order there is.
    fill_tensor_memory(tmem, columns, 0, columns, r.d_fill);
    ptx::tcgen05_wait_st();
    unsigned char* const output = static_cast<unsigned char*>(args.output) + r.output_offset +
                                  uint64_t{threadIdx.x} * params::tmem_red_words * 4;
    ptx::tcgen05_ld_red(output, r.opcode, tmem + r.taddr + ((threadIdx.x & ~31u) << 16));
    uint32_t* const rest = reinterpret_cast<uint32_t*>(output) + 129;
    rest[0] = rest[1] = rest[2] = ~0u;
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

}  // namespace assay
