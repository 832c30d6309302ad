// SPDX-License-Identifier: Apache-2.0
#include "kernels/screen/chains.cuh"

namespace assay {

using namespace screen;

extern "C" __global__ void __launch_bounds__(params::screen_warpgroups* probe_threads)
    screen_chains(const __grid_constant__ BatchArgs args) {
  __shared__ ChainsShared shared;
  begin_chains(shared);
  uint32_t parity = 0;
  run_records(args, [&](uint32_t index) {
    const auto run = begin_record<ScreenRecord, ScreenOutput>(
        args, static_cast<const ScreenRecord*>(args.records)[index], shared.found);
    if (run.takes) {
      prepare_chains(run.r, run.plants, shared);
      compare_chains(run.r, run.plants, run.output, shared, parity);
    }
    __syncthreads();
    if (threadIdx.x == 0) end_record(run, params::screen_warpgroups);
  });
}

}  // namespace assay
