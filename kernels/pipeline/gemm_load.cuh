// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/pipeline/gemm_parts.cuh"

/// The warp that loads, and finds out what there is to load.
namespace assay::gemm {

/// Scales of a stage come by the tile: those of A to whoever has its rows, those of B to all who multiply by
/// its columns. Of a sparse A its metadata come in their place.
__device__ void load_scales(const GemmRecord& r, const Tile& tile, const Place& place, uint32_t stage,
                            uint32_t to, uint32_t full, const void* a_map, const void* b_map) {
  const int32_t k = static_cast<int32_t>(stage * r.scale_tiles * (params::gemm_scale_tile_bytes / 8));
  const auto at = [&](uint32_t row) {
    return ptx::Coordinates{{k, static_cast<int32_t>(row / params::gemm_scale_tile_rows)}};
  };
  const ptx::Coordinates of_a = at(tile.m + place.member * gemm_tile_m);
  const uint32_t b = to + gemm_scale_bytes;
  if (place.group == 1) {
    ptx::load_2d(to, a_map, of_a, full);
    if (place.rank == 0 && b_map != nullptr) ptx::load_multicast_2d(b, b_map, at(tile.n), full, 0b11);
  } else {
    const uint16_t members = static_cast<uint16_t>(0b101 << place.member);
    const uint16_t pair = static_cast<uint16_t>(0b11 << place.leader);
    if (place.pair == 0) ptx::load_multicast_2d_pair(to, a_map, of_a, full, members);
    if (place.member == 0 && b_map != nullptr)
      ptx::load_multicast_2d_pair(b, b_map, at(tile.n + place.pair * r.tile_n), full, pair);
  }
}

/// What the load warp asks of the grid: a cluster for each lane that asks, early enough that the answers are
/// there when it needs them.
class Requests {
 public:
  __device__ Requests(Shared& shared, const Place& place, uint32_t lanes)
      : place_(place),
        lanes_(lanes),
        answers_(ptx::shared_address(shared.answers)),
        answered_(ptx::shared_address(&shared.answered)),
        answer_read_(ptx::shared_address(&shared.answer_read)) {}
  /// By the whole warp, unless there is nothing more to ask for or it has asked.
  __device__ void ask(Waits& waits, bool leads) {
    if (is_asked_ || is_refused_) return;
    is_asked_ = true;
    if (leads) {
      if (place_.rank == 0) waits.wait_cluster(answer_read_, parity_ ^ 1);
      ptx::mbarrier_arrive_expect_tx(answered_, 16 * __popc(lanes_));
    }
    __syncwarp();
    const uint32_t lane = threadIdx.x % 32;
    if (place_.rank == 0 && lanes_ >> lane & 1)
      ptx::try_cancel_multicast(answers_ + 16 * __popc(lanes_ & ((1u << lane) - 1)), answered_);
  }
  /// By the whole warp: number in the grid of a cluster that was cancelled, or none.
  __device__ uint32_t answer(Waits& waits, bool leads) {
    if (spare_ == Tile::none && is_asked_) {
      uint32_t found = Tile::none, refused = 0;
      if (leads) {
        waits.wait_cluster(answered_, parity_);
#pragma unroll 1
        for (uint32_t i = __popc(lanes_); i-- > 0;) {
          const ptx::CtaId cancelled = ptx::cancelled_cta(answers_ + 16 * i, Tile::none, parity_ ^ 1);
          if (cancelled.x == Tile::none) {
            refused = 1;
            continue;
          }
          spare_ = found;
          found = cluster_number(cancelled);
        }
        ptx::fence_proxy_async_shared_cta();
        ptx::mbarrier_arrive_cluster(ptx::mapa_shared_cluster(answer_read_, 0));
      }
      parity_ ^= 1;
      is_asked_ = false;
      is_refused_ = __any_sync(~0u, refused);
      spare_ = __reduce_min_sync(~0u, spare_);
      return __reduce_min_sync(~0u, found);
    }
    const uint32_t next = spare_;
    spare_ = Tile::none;
    return next;
  }

 private:
  const Place& place_;
  const uint32_t lanes_, answers_, answered_, answer_read_;
  uint32_t parity_ = 0, spare_ = Tile::none;
  bool is_asked_ = false, is_refused_ = false;
};

/// The maps of a tile as the copies of a stage take them; null: its scales do not come so.
struct TileMaps {
  const void *a, *b, *a_scales, *b_scales;
};
__device__ __forceinline__ TileMaps acquired_maps(const BatchArgs& args, Shared& shared, const GemmRecord& r,
                                                  bool is_first) {
  TileMaps maps;
  maps.a = acquired_map(map_of(args, shared, r, 0, 0), is_first);
  maps.b = acquired_map(map_of(args, shared, r, 1, 1), is_first);
  maps.a_scales = maps.b_scales = nullptr;
  if (r.scale_tiles != 0) {
    maps.a_scales = acquired_map(map_of(args, shared, r, 3, 2), is_first);
    if (r.b_boxes == 1) maps.b_scales = acquired_map(map_of(args, shared, r, 4, 3), is_first);
  }
  return maps;
}

/// What this CTA loads of stage `i` of a tile, once its slot of the ring is empty. `b_rows`: of B, by one
/// load.
__device__ __forceinline__ void load_stage(Waits& waits, Shared& shared, const Ring<gemm_stages>& ring,
                                           const GemmRecord& r, const Tile& tile, const Place& place,
                                           const TileMaps& maps, uint32_t window, uint32_t group,
                                           uint32_t b_rows, uint32_t i) {
  const auto at = [&](uint32_t row, uint32_t box) {
    return ptx::Coordinates{{static_cast<int32_t>(box * r.stage_elements), static_cast<int32_t>(row)}};
  };
  const uint32_t full = barrier_of(shared.full, ring.at);
  const uint32_t a = stage_a(window, ring.at), b = stage_b(window, ring.at);
  waits.wait_cluster(barrier_of(shared.empty, ring.at), ring.parity ^ 1);
  if (place.multiplies) ptx::mbarrier_arrive_expect_tx(full, r.arrival_bytes);
  // All of a pair signals its leader.
  const uint32_t signal = group == 1 ? full : ptx::mapa_shared_cluster(full, place.leader);
  if (place.group == 1) {
    // Rows of A for itself.
    ptx::load_2d(a, maps.a, at(tile.m + place.rank * gemm_tile_m, i), full);
  } else {
    // Half of its rows of A for the same member of both pairs.
    const uint32_t half = place.pair * (gemm_tile_m / 2);
    ptx::load_multicast_2d_pair(a + half * gemm_stage_bytes, maps.a,
                                at(tile.m + place.member * gemm_tile_m + half, i), signal,
                                static_cast<uint16_t>(0b101 << place.member));
  }
#pragma unroll 1
  for (uint32_t box = 0; box < r.b_boxes; ++box) {
    const uint32_t to = b + box * b_box_bytes, number = i * r.b_boxes + box;
    if (place.group == 1) {
      // Half of B for both.
      const uint32_t first = place.rank * b_rows;
      ptx::load_multicast_2d(to + first * gemm_stage_bytes, maps.b, at(tile.n + first, number), full, 0b11);
    } else {
      // Half of the pair's B for itself.
      ptx::load_2d_pair(to, maps.b, at(tile.n + place.pair * r.tile_n + place.member * b_rows, number),
                        signal);
    }
  }
  if (r.scale_tiles != 0)
    load_scales(r, tile, place, i, stage_scales(window, ring.at), signal, maps.a_scales, maps.b_scales);
}

/// By a whole warp, of which one lane waits and loads. A function of its own, so that it stands once in the
/// program.
__device__ __noinline__ void load(const BatchArgs& args, Shared& shared, uint32_t window, uint32_t group) {
  const Place place(group);
  Ring<gemm_stages> ring;
  Ring<2> handed;
  const bool leads = ptx::elect_one();
  Waits waits(args, shared, leads);
  uint32_t* const note = args.notes + args.first_note + shared.cta / place.cluster;
  // Until everyone who was sent the loads of this CTA has multiplied them.
  const auto drain = [&](Ring<gemm_stages> ring) {
#pragma unroll 1
    for (uint32_t i = 0; i < gemm_stages; ++i, ring.advance())
      waits.wait_cluster(barrier_of(shared.empty, ring.at), ring.parity ^ 1);
  };
  const auto hand = [&](const Tile& tile) {
    waits.wait_cta(barrier_of(shared.taken, handed.at), handed.parity ^ 1);
    ptx::st_shared_v4(ptx::shared_address(&shared.tiles[handed.at]),
                      make_uint4(tile.index, tile.m, tile.n, tile.is_first));
    ptx::mbarrier_arrive(barrier_of(shared.handed, handed.at));
    handed.advance();
  };
  const uint32_t clusters = gridDim.x * gridDim.y * gridDim.z / place.cluster;
  const GemmRecord& any = static_cast<const GemmRecord*>(args.records)[args.indexes[0]];
  const bool asks = any.has_launch_control != 0;
  Requests requests(shared, place, params::gemm_asking_lanes(any.asking));
  Tiles tiles(args);
  uint32_t number = shared.cta / place.cluster;
#pragma unroll 1
  for (;;) {
    Tile tile;
    if (!tiles.find(number, group, tile)) {
      // Those of this cluster's number, or of one that was cancelled, are made.
      if (!asks) break;
      number = requests.answer(waits, leads);
      if (number == Tile::none) break;
      continue;
    }
    number += clusters;
    const GemmRecord& r = tile.record(args);
    if (asks) requests.ask(waits, leads);
    if (leads) hand(tile);
    if (tile.is_first && r.is_grouped) {
      if (leads) drain(ring);
      __syncwarp();
#pragma unroll 1
      for (uint32_t i = 0; i < (r.scale_tiles == 0 ? 2 : r.b_boxes == 2 ? 3 : 4); ++i)
        rewrite_map(args, r, i < 2 ? i : i + 1, ptx::shared_address(shared.maps[0]),
                    map_of(args, shared, r, 0, i));
    }
    if (!leads) continue;
    if (tile.is_first && place.rank == 0) note_start(note, tile.index);
    const TileMaps maps = acquired_maps(args, shared, r, tile.is_first);
    const uint32_t b_rows = r.tile_n / 2;  // that one load brings
    const uint32_t stages = stages_of(r);
#pragma unroll 1
    for (uint32_t i = 0; i < stages; ++i, ring.advance()) {
      load_stage(waits, shared, ring, r, tile, place, maps, window, group, b_rows, i);
    }
  }
  if (!leads) return;
  hand({Tile::none, 0, 0, 0});
  // The last multiplications of the others still arrive here: not before that may this CTA end.
  drain(ring);
  if (place.rank == 0) note_clear(note);
}

}  // namespace assay::gemm
