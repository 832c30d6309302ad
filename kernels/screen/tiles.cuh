// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/screen/screen.cuh"

/// Tensor copies on every multiprocessor at once, whose tiles are hashed where they came: a record gives all
/// CTAs the same tiles, in turn.
namespace assay::screen {

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

/// A load, and what it is to be compared with: all of it is known before the warp waits for another one.
struct Load {
  uint64_t golden;
  const unsigned char* map;
  ptx::Coordinates at;
  uint32_t tile, pieces, rank, bytes;
};

__device__ __forceinline__ uint32_t stage_of(const Warp& w, uint32_t load) {
  return w.window + load % params::screen_tile_stages * params::screen_tile_bytes;
}

__device__ __forceinline__ Load prepare(const ScreenTilesRecord& r, const Warp& w, const unsigned char* maps,
                                        uint32_t tile, uint32_t set) {
  const uint32_t number = tile % r.maps, d = w.lane < 5 ? w.lane : 0;
  const ScreenTileMap& m = r.map[number];
  const int32_t begin =
      m.low[d] + static_cast<int32_t>(m.step[d] * params::screen_place(r.seed, tile, d, m.count[d]));
  Load load{r.golden[tile],
            maps + 128 * (set * params::screen_tile_maps + number),
            {},
            tile,
            m.pieces[w.lane],
            m.map.rank,
            m.bytes};
#pragma unroll
  for (uint32_t i = 0; i < 5; ++i) load.at.c[i] = __shfl_sync(~0u, begin, i);
  return load;
}

__device__ __forceinline__ void issue(const Warp& w, uint32_t number, const Load& load) {
  if (w.lane != 0) return;
  const uint32_t barrier = w.barrier + number % params::screen_tile_stages * 8;
  ptx::mbarrier_arrive_expect_tx(barrier, load.bytes);
  ptx::load_tile(load.rank, stage_of(w, number), load.map, load.at, barrier);
}

/// Of the pieces of all lanes: each can be told from any other of the same bytes elsewhere. `piece(j)`: of
/// this lane.
template <typename Piece>
__device__ __forceinline__ uint64_t hash_of(const Warp& w, uint32_t pieces, const Piece& piece) {
  uint32_t x = params::screen_word_start, y = x, z = x, t = x;
  const auto add = [&](uint4 v, uint32_t is_hashed) {
    const auto next = [is_hashed](uint32_t hash, uint32_t word) {
      return hash ^ ((params::screen_word_hash(hash, word) ^ hash) & is_hashed);
    };
    x = next(x, v.x), y = next(y, v.y), z = next(z, v.z), t = next(t, v.w);
  };
  // Without a branch the loads of a group overlap: what is not hashed is loaded as well.
  constexpr uint32_t group = 8;
  const uint32_t end = 32 - __clz(__reduce_or_sync(~0u, pieces)), whole = __reduce_and_sync(~0u, pieces);
#pragma unroll 1
  for (uint32_t j = 0; j < end; j += group)
    if ((whole >> j & 0xff) == 0xff) {
#pragma unroll
      for (uint32_t i = j; i < j + group; ++i) add(piece(i), ~0u);
    } else {
#pragma unroll 4
      for (uint32_t i = j; i < j + group; ++i) add(piece(i), 0u - (pieces >> i & 1));
    }
  __syncwarp();
  uint64_t hash = params::screen_hash(params::screen_hash_start, w.lane, 0);
  hash = params::screen_hash(params::screen_hash(hash, x, y), z, t);
  const uint32_t low = __reduce_xor_sync(~0u, static_cast<uint32_t>(hash)),
                 high = __reduce_xor_sync(~0u, static_cast<uint32_t>(hash >> 32));
  return uint64_t{high} << 32 | low;
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
                                              uint32_t round, const Load& load, uint32_t pass) {
  uint32_t dumps = 0;
  if (w.lane == 0 && atomicAdd(&found.mismatches, 1u) == 0) {
    to.warp = w.warp, to.round = round, to.tile = load.tile;
    // One word of the launch's own counts who came first.
    dumps = to.dumped = plants || atomicAdd(args.queue, 1u) == 0 ? 1 + pass : 0;
  }
  if (__shfl_sync(~0u, dumps, 0) == 0) return;
  const uint32_t stage = stage_of(w, round);
#pragma unroll 1
  for (uint32_t j = 0; j < params::screen_tile_pieces; ++j) {
    // What no load wrote has nothing to tell.
    if ((load.pieces >> j & 1) == 0) continue;
    const uint32_t at = (j * 32 + w.lane) * vector_bytes;
    ptx::st_global_v4(&output.dump[plants ? 0 : 1][at / 4], ptx::ld_shared_v4(stage + at));
  }
}

/// By one thread: until the tile has been written.
template <typename Write>
__device__ __forceinline__ void write_tile(const Write& write) {
  write();
  ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group_0();
}

/// The tile goes to memory that this multiprocessor's warp alone writes, and from there into its stage again.
/// Reductions by the tile itself leave it as it was stored: (x ^ x) + x, max(x | x, x).
__device__ __forceinline__ void store_and_load(const ScreenTilesRecord& r, const Warp& w,
                                               const unsigned char* map, uint32_t round) {
  __syncwarp();
  if (w.lane != 0) return;
  const uint32_t slot = round % r.store_slots * params::screen_most_ctas + ptx::smid(),
                 row = (slot * params::screen_tile_warps + w.warp) * params::screen_stored_rows,
                 stage = stage_of(w, round), barrier = w.barrier + round % params::screen_tile_stages * 8;
  const ptx::Coordinates at{{0, static_cast<int32_t>(row)}};
  write_tile([&] { ptx::store_2d(map, at, stage); });
  if (round % 3 == 1) {
    write_tile([&] { ptx::reduce_xor_2d(map, at, stage); });
    write_tile([&] { ptx::reduce_add_2d(map, at, stage); });
  } else if (round % 3 == 2) {
    write_tile([&] { ptx::reduce_or_2d(map, at, stage); });
    write_tile([&] { ptx::reduce_max_2d(map, at, stage); });
  }
  ptx::fence_proxy_async();
  ptx::mbarrier_arrive_expect_tx(barrier, params::screen_tile_bytes);
  ptx::load_2d(stage, map, at, barrier);
}

/// As it came, and where `stored` is a map once more after it was stored and loaded; the last time decides
/// whether a planted fault is found.
__device__ __forceinline__ void compare_tile(const BatchArgs& args, const ScreenTilesRecord& r, Warp& w,
                                             Found& found, bool plants, ScreenTilesOutput& output,
                                             uint32_t round, bool is_altered, const Load& load,
                                             const unsigned char* stored) {
  const uint32_t stage = stage_of(w, round), at = round % params::screen_tile_stages;
  const auto piece = [&](uint32_t j) { return ptx::ld_shared_v4(stage + (j * 32 + w.lane) * vector_bytes); };
  const uint32_t last = stored == nullptr ? 0 : 1;
#pragma unroll 1
  for (uint32_t pass = 0; pass <= last; ++pass) {
    if (pass != 0) store_and_load(r, w, stored, round);
    while (!ptx::mbarrier_try_wait_parity(w.barrier + at * 8, w.parity >> at & 1)) {
    }
    w.parity ^= 1u << at;
    if (is_altered && pass == last) alter_tile(r, w, stage, r.map[load.tile % r.maps]);
    if (hash_of(w, load.pieces, piece) == load.golden) continue;
    note_mismatch(args, found, plants ? output.of_planted : output.first[blockIdx.x], output, plants, w,
                  round, load, pass);
    return;
  }
}

/// One tile without a tensor copy: shared memory that this warp writes and reads, or global memory.
__device__ __forceinline__ bool is_part_wrong(const ScreenTilesRecord& r, const Warp& w, uint32_t tile) {
  const bool is_global = r.turns.part == params::ScreenPart::loads;
  const unsigned char* const from = reinterpret_cast<const unsigned char*>(r.map[tile % r.maps].address) +
                                    params::screen_plain_place(r.seed, tile);
#pragma unroll 1
  for (uint32_t j = 0; j < (is_global ? 0 : params::screen_tile_pieces); ++j) {
    const uint64_t low = params::screen_written(r.seed, tile, j, w.lane, 0),
                   high = params::screen_written(r.seed, tile, j, w.lane, 1);
    ptx::st_shared_v4(w.window + (j * 32 + w.lane) * vector_bytes,
                      make_uint4(static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32),
                                 static_cast<uint32_t>(high), static_cast<uint32_t>(high >> 32)));
  }
  const auto piece = [&](uint32_t j) {
    const uint32_t at = (j * 32 + w.lane) * vector_bytes;
    return is_global ? ptx::ld_global_v4(from + at) : ptx::ld_shared_v4(w.window + at);
  };
  return hash_of(w, ~0u, piece) != r.golden[tile];
}

__device__ __forceinline__ void compare_parts(const ScreenTilesRecord& r, const Warp& w, Found& found,
                                              ScreenTileMismatch& to) {
#pragma unroll 1
  for (uint32_t round = 0; round < r.rounds; ++round) {
    const uint32_t tile = ((round * gridDim.x + blockIdx.x) * params::screen_tile_warps + w.warp) % r.tiles;
    if (is_part_wrong(r, w, tile) && w.lane == 0 && atomicAdd(&found.mismatches, 1u) == 0)
      to.warp = w.warp, to.round = round, to.tile = tile;
  }
  ptx::fence_proxy_async_shared_cta();
}

template <bool may_store>
__device__ __forceinline__ void compare_tiles(const BatchArgs& args, const ScreenTilesRecord& r,
                                              const unsigned char* maps, Warp& w, Found& found, bool plants,
                                              ScreenTilesOutput& output) {
  const unsigned char* const stored =
      may_store && r.store_slots != 0 ? maps + 128 * (params::screen_all_maps - 1) : nullptr;
  const uint32_t rounds = r.rounds, tiles = r.tiles;
  const bool is_pulsed = r.turns.off_us != 0;
  const uint32_t altered = plants && r.plant_warp == w.warp ? r.plant_round % rounds : ~0u;
  const uint32_t step = gridDim.x * params::screen_tile_warps % tiles;
  uint32_t tile = (blockIdx.x * params::screen_tile_warps + w.warp) % tiles;
  uint32_t set = 0;
  const auto next = [&] {
    const Load load = prepare(r, w, maps, tile, set);
    tile += step;
    if (tile >= tiles) tile -= tiles, set = (set + 1) % params::screen_map_sets;
    return load;
  };
  // The first turns issue alone, the last ones compare alone.
  constexpr uint32_t stages = params::screen_tile_stages;
  Load under_way[stages]{};
#pragma unroll 1
  for (uint32_t turn = 0; turn < rounds + stages; ++turn) {
    Load more{};
    if (turn < rounds) more = next();
    if (turn >= stages)
      compare_tile(args, r, w, found, plants, output, turn - stages, turn - stages == altered, under_way[0],
                   stored);
    __syncwarp();
    if (is_pulsed) wait_for_pulse(r.turns);
    if (turn < rounds) issue(w, turn, more);
#pragma unroll
    for (uint32_t i = 0; i + 1 < stages; ++i) under_way[i] = under_way[i + 1];
    under_way[stages - 1] = more;
  }
}

/// What the warps that load tiles share.
struct TilesShared {
  Found found;
  alignas(8) uint64_t barriers[params::screen_tile_warps * params::screen_tile_stages];
};

/// Warp `warp` of those that load tiles, whose stages begin at `window`.
__device__ __forceinline__ Warp begin_tiles(TilesShared& shared, uint32_t warp, uint32_t window) {
  const uint32_t own = warp * params::screen_tile_stages;
  const Warp w{warp, threadIdx.x % 32, window + own * params::screen_tile_bytes,
               ptx::shared_address(&shared.barriers[own]), 0};
  if (w.lane != 0) return w;
  for (uint32_t i = 0; i < params::screen_tile_stages; ++i) ptx::mbarrier_init(w.barrier + i * 8, 1);
  ptx::fence_mbarrier_init();
  return w;
}

/// By whole warps; of record `index`.
template <bool may_store>
__device__ __forceinline__ void run_tiles(const BatchArgs& args, const ScreenTilesRecord& r, uint32_t index,
                                          Warp& w, Found& found, bool plants, ScreenTilesOutput& output) {
  constexpr uint32_t all_maps = params::screen_all_maps;
  const unsigned char* const maps =
      static_cast<const unsigned char*>(args.maps) + uint64_t{index} * all_maps * 128;
  if (r.turns.part != params::ScreenPart::whole) return compare_parts(r, w, found, output.first[blockIdx.x]);
  // Launches reuse the addresses of maps.
  if (w.lane == 0)
#pragma unroll 1
    for (uint32_t m = 0; m < all_maps; ++m)
      if (m % params::screen_tile_maps < r.maps) ptx::fence_proxy_tensormap_acquire_gpu(maps + 128 * m);
  __syncwarp();
  compare_tiles<may_store>(args, r, maps, w, found, plants, output);
}

}  // namespace assay::screen
