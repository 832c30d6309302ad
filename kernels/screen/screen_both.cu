// SPDX-License-Identifier: Apache-2.0
#include "kernels/screen/chains.cuh"
#include "kernels/screen/tiles.cuh"

/// Chains of products and tensor copies on every multiprocessor at once: two warpgroups multiply, the warps
/// behind them load tiles into shared memory behind the operands.
namespace assay {

using namespace screen;
using params::ScreenBothRecord;

extern "C" __global__ void __launch_bounds__(params::screen_both_threads)
    screen_both(const __grid_constant__ BatchArgs args) {
  __shared__ ChainsShared shared;
  __shared__ TilesShared of_tiles;
  constexpr uint32_t chain_warps = params::screen_warpgroups * probe_threads / 32;
  // The same for all lanes, which ptxas sees.
  const uint32_t warp = __shfl_sync(~0u, threadIdx.x / 32, 0);
  begin_chains(shared);
  Warp w{};
  if (warp >= chain_warps)
    w = begin_tiles(of_tiles, warp - chain_warps, window_address() + params::screen_window_bytes);
  uint32_t parity = 0;
  run_records(args, [&](uint32_t index) {
    const ScreenBothRecord& r = static_cast<const ScreenBothRecord*>(args.records)[index];
    const auto chains = begin_record<ScreenRecord, ScreenOutput>(args, r.chains, shared.found);
    const auto tiles = begin_record<ScreenTilesRecord, ScreenTilesOutput>(args, r.tiles, of_tiles.found);
    if (chains.takes) prepare_chains(chains.r, chains.plants, shared);
    if (warp < chain_warps) {
      if (chains.takes) compare_chains(chains.r, chains.plants, chains.output, shared, parity);
    } else if (tiles.takes) {
      run_tiles<false>(args, tiles.r, index, w, of_tiles.found, tiles.plants, tiles.output);
    }
    __syncthreads();
    if (threadIdx.x != 0) return;
    end_record(chains, params::screen_warpgroups);
    end_record(tiles, params::screen_tile_warps);
  });
}

}  // namespace assay
