// SPDX-License-Identifier: Apache-2.0
#include "kernels/screen/tiles.cuh"

namespace assay {

using namespace screen;

extern "C" __global__ void __launch_bounds__(probe_threads)
    screen_tiles(const __grid_constant__ BatchArgs args) {
  __shared__ TilesShared shared;
  Warp w = begin_tiles(shared, threadIdx.x / 32, window_address());
  run_records(args, [&](uint32_t index) {
    const auto run = begin_record<ScreenTilesRecord, ScreenTilesOutput>(
        args, static_cast<const ScreenTilesRecord*>(args.records)[index], shared.found);
    if (run.takes) run_tiles<true>(args, run.r, index, w, shared.found, run.plants, run.output);
    __syncthreads();
    if (threadIdx.x == 0) end_record(run, params::screen_tile_warps);
  });
}

}  // namespace assay
