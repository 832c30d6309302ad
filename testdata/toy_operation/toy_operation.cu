// SPDX-License-Identifier: Apache-2.0
#include "kernels/probe.cuh"
#include "testdata/toy_operation/toy_record.h"

/// Batched probe of how a phase ends: one thread runs the records, each on a barrier of its own.
namespace assay {

extern "C" __global__ void __launch_bounds__(probe::probe_threads)
    toy_arrivals(const __grid_constant__ params::BatchArgs args) {
  using namespace probe;
  __shared__ uint64_t object;
  if (threadIdx.x != 0) return;
  const uint32_t barrier = ptx::shared_address(&object);
  uint32_t* const note = args.notes + args.first_note + blockIdx.x;
  for (uint32_t index = take(args); index != ~0u; index = take(args)) {
    note_start(note, index);
    const params::ToyRecord& r = static_cast<const params::ToyRecord*>(args.records)[index];
    ptx::mbarrier_init(barrier, r.arrivals);
    ptx::mbarrier_arrive(barrier, r.arrivals - 1);
    const uint32_t before = ptx::mbarrier_test_wait_parity(barrier, 0);
    ptx::mbarrier_arrive(barrier);
    const uint32_t behind = ptx::mbarrier_test_wait_parity(barrier, 0);
    ptx::mbarrier_inval(barrier);
    ptx::st_global_v4(static_cast<unsigned char*>(args.output) + r.output_offset,
                      make_uint4(before, behind, r.mark, 0));
    write_end(args, index, params::probe_done);
    note_clear(note);
  }
}

}  // namespace assay
