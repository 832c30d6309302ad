// SPDX-License-Identifier: Apache-2.0
#include "kernels/screen/screen.cuh"

/// Tensor copies on every multiprocessor at once, whose tiles are hashed where they came: a record gives all
/// CTAs the same tiles, in turn.
namespace assay {
namespace {

using namespace screen;
using params::ScreenTileMap;
using params::ScreenTileMismatch;
using params::ScreenTilesOutput;
using params::ScreenTilesRecord;

/// What a warp has while it runs records.
struct Warp {
  uint32_t warp, lane;
  uint32_t window;   ///< of its first stage
  uint32_t barrier;  ///< of its first stage
  uint32_t parity;   ///< of the next phase of each stage, a bit each
};

/// A load under way, with what it is to be compared with, read while it is.
struct Load {
  uint64_t golden;
  uint32_t tile, pieces;
};

__device__ __forceinline__ uint32_t stage_of(const Warp& w, uint32_t load) {
  return w.window + load % params::screen_tile_stages * params::screen_tile_bytes;
}

__device__ __forceinline__ Load issue(const ScreenTilesRecord& r, const Warp& w, const unsigned char* maps,
                                      uint32_t load, uint32_t tile) {
  const uint32_t number = tile % r.maps;
  const ScreenTileMap& m = r.map[number];
  const Load issued{r.golden[tile], tile, m.pieces[w.lane]};
  const uint32_t d = w.lane < 5 ? w.lane : 0, rank = m.map.rank, bytes = m.bytes;
  const int32_t begin =
      m.low[d] + static_cast<int32_t>(m.step[d] * params::screen_place(r.seed, tile, d, m.count[d]));
  ptx::Coordinates at;
#pragma unroll
  for (uint32_t i = 0; i < 5; ++i) at.c[i] = __shfl_sync(~0u, begin, i);
  if (w.lane == 0) {
    const uint32_t barrier = w.barrier + load % params::screen_tile_stages * 8;
    ptx::mbarrier_arrive_expect_tx(barrier, bytes);
    ptx::load_tile(rank, stage_of(w, load), maps + 128 * number, at, barrier);
  }
  return issued;
}

/// Of the pieces of all lanes: each can be told from any other of the same bytes elsewhere.
__device__ __forceinline__ uint64_t hash_of(const Warp& w, uint32_t stage, uint32_t pieces) {
  uint64_t even = params::screen_hash_start, odd = params::screen_hash_start;
  const auto add = [&](uint32_t j) {
    const uint4 v = ptx::ld_shared_v4(stage + (j * 32 + w.lane) * vector_bytes);
    even = params::screen_hash(even, v.x, v.y), odd = params::screen_hash(odd, v.z, v.w);
  };
  // Most tiles are whole: their loads need not wait for each other.
  if (__all_sync(~0u, pieces == ~0u)) {
#pragma unroll 4
    for (uint32_t j = 0; j < params::screen_tile_pieces; ++j) add(j);
  } else {
#pragma unroll 1
    for (uint32_t left = pieces; left != 0; left &= left - 1) add(__ffs(left) - 1);
    __syncwarp();
  }
  uint64_t hash = params::screen_hash(even, static_cast<uint32_t>(odd), static_cast<uint32_t>(odd >> 32));
#pragma unroll 1
  for (uint32_t lanes = 16; lanes != 0; lanes /= 2) {
    const uint64_t other = __shfl_down_sync(~0u, hash, lanes);
    hash = params::screen_hash(hash, static_cast<uint32_t>(other), static_cast<uint32_t>(other >> 32));
  }
  return hash;
}

/// By all lanes of the warp that plants.
__device__ __forceinline__ void alter_tile(const ScreenTilesRecord& r, const Warp& w, uint32_t stage,
                                           const ScreenTileMap& m) {
  const uint32_t lane = m.pieces[r.plant_lane] != 0 ? r.plant_lane : 0;
  if (w.lane == lane) {
    const uint32_t piece = params::screen_planted_piece(m.pieces[lane], r.plant_piece);
    alter_vector(stage + (piece * 32 + lane) * vector_bytes, r.plant_word, r.plant_mask);
    ptx::fence_proxy_async_shared_cta();
  }
  __syncwarp();
}

__device__ __forceinline__ void note_mismatch(const BatchArgs& args, Found& found, ScreenTileMismatch& to,
                                              ScreenTilesOutput& output, bool plants, const Warp& w,
                                              uint32_t round, uint32_t tile, uint32_t pieces) {
  uint32_t dumps = 0;
  if (w.lane == 0 && atomicAdd(&found.mismatches, 1u) == 0) {
    to.warp = w.warp, to.round = round, to.tile = tile;
    // One word of the launch's own counts who came first.
    dumps = to.dumped = plants || atomicAdd(args.queue, 1u) == 0 ? 1 : 0;
  }
  if (__shfl_sync(~0u, dumps, 0) == 0) return;
  const uint32_t stage = stage_of(w, round);
#pragma unroll 1
  for (uint32_t j = 0; j < params::screen_tile_pieces; ++j) {
    // What no load wrote has nothing to tell.
    if ((pieces >> j & 1) == 0) continue;
    const uint32_t at = (j * 32 + w.lane) * vector_bytes;
    ptx::st_global_v4(&output.dump[plants ? 0 : 1][at / 4], ptx::ld_shared_v4(stage + at));
  }
}

__device__ __forceinline__ void compare_tile(const BatchArgs& args, const ScreenTilesRecord& r, Warp& w,
                                             Found& found, bool plants, ScreenTilesOutput& output,
                                             uint32_t round, bool is_altered, const Load& load) {
  const uint32_t stage = stage_of(w, round), at = round % params::screen_tile_stages;
  while (!ptx::mbarrier_try_wait_parity(w.barrier + at * 8, w.parity >> at & 1)) {
  }
  w.parity ^= 1u << at;
  if (is_altered) alter_tile(r, w, stage, r.map[load.tile % r.maps]);
  const bool is_wrong = hash_of(w, stage, load.pieces) != load.golden;
  if (__shfl_sync(~0u, is_wrong, 0))
    note_mismatch(args, found, plants ? output.of_planted : output.first[blockIdx.x], output, plants, w,
                  round, load.tile, load.pieces);
}

__device__ __forceinline__ void compare_tiles(const BatchArgs& args, const ScreenTilesRecord& r,
                                              const unsigned char* maps, Warp& w, Found& found, bool plants,
                                              ScreenTilesOutput& output) {
  const uint32_t rounds = r.rounds, tiles = r.tiles;
  const uint32_t altered = plants && r.plant_warp == w.warp ? r.plant_round % rounds : ~0u;
  const uint32_t step = gridDim.x * params::screen_tile_warps % tiles;
  uint32_t tile = (blockIdx.x * params::screen_tile_warps + w.warp) % tiles;
  // The first turns issue alone, the last ones compare alone.
  constexpr uint32_t ahead = params::screen_tile_stages;
  static_assert(ahead == 2);
  Load first{}, second{};
#pragma unroll 1
  for (uint32_t turn = 0; turn < rounds + ahead; ++turn) {
    if (turn >= ahead)
      compare_tile(args, r, w, found, plants, output, turn - ahead, turn - ahead == altered, first);
    __syncwarp();
    first = second;
    if (turn >= rounds) continue;
    second = issue(r, w, maps, turn, tile);
    tile = tile + step >= tiles ? tile + step - tiles : tile + step;
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(probe_threads)
    screen_tiles(const __grid_constant__ BatchArgs args) {
  __shared__ Found found;
  __shared__ alignas(8) uint64_t barriers[params::screen_tile_warps * params::screen_tile_stages];
  const uint32_t own = threadIdx.x / 32 * params::screen_tile_stages;
  Warp w{threadIdx.x / 32, threadIdx.x % 32, window_address() + own * params::screen_tile_bytes,
         ptx::shared_address(&barriers[own]), 0};
  if (w.lane == 0) {
    for (uint32_t i = 0; i < params::screen_tile_stages; ++i) ptx::mbarrier_init(w.barrier + i * 8, 1);
    ptx::fence_mbarrier_init();
  }
  run_records<ScreenTilesRecord, ScreenTilesOutput>(
      args, found, params::screen_tile_warps,
      [&](const ScreenTilesRecord& r, uint32_t index, bool plants, ScreenTilesOutput& output) {
        const unsigned char* const maps =
            static_cast<const unsigned char*>(args.maps) + uint64_t{index} * params::screen_tile_maps * 128;
        // Launches reuse the addresses of maps.
        if (w.lane == 0)
          for (uint32_t m = 0; m < r.maps; ++m) ptx::fence_proxy_tensormap_acquire_gpu(maps + 128 * m);
        __syncwarp();
        compare_tiles(args, r, maps, w, found, plants, output);
      });
}

}  // namespace assay
