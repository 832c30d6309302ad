#include <cstddef>

#include "kernels/params/gemm.h"
#include "kernels/pipeline.cuh"
#include "kernels/probe.cuh"

/// A matrix multiplication as libraries ship it: persistent clusters, a warp that loads by TMA with multicast
/// into four stages, one that multiplies by tcgen05.mma into one half of tensor memory while four others
/// store the other half by TMA. Many products in one launch.
namespace assay {
/// Named, so that the text that nvcc writes holds no hash of this file's path.
namespace gemm {

using namespace probe;
using namespace params;

inline constexpr uint32_t load_warp = 0, multiply_warp = 1, first_store_warp = 2;

struct Shared : params::GemmBarriers {
  uint32_t tmem;
  alignas(128) unsigned char maps[5][128];  ///< that the load warp, and each store warp, rewrites
};
static_assert(gemm_stages == sizeof(Shared::full) / sizeof(uint64_t));
/// Position in a ring of `depth` barriers, and how often it has gone round.
template <uint32_t depth>
struct Ring {
  uint32_t at = 0, parity = 0;
  __device__ void advance() {
    if (++at == depth) {
      at = 0;
      parity ^= 1;
    }
  }
};

/// Where a CTA stands in its cluster.
template <int group>
struct Place {
  static constexpr uint32_t cluster = params::gemm_cluster(group);
  uint32_t rank = ptx::cluster_ctarank();
  uint32_t member = rank & 1;    ///< of its pair (group 2) or of the cluster: which rows of D
  uint32_t pair = rank >> 1;     ///< group 2: which columns of D
  uint32_t leader = rank & ~1u;  ///< of its pair
  bool multiplies = group == 1 || member == 0;
};

/// One tile of a cluster: rows from m, columns from n.
struct Tile {
  const GemmRecord& record;
  uint32_t index;
  uint32_t m, n;
  bool is_first;  ///< that this cluster makes of the record
};

/// Tiles go round the clusters, over all records of the launch.
template <int group, typename Use>
__device__ void for_each_tile(const BatchArgs& args, Use use) {
  const uint32_t clusters = gridDim.x / params::gemm_cluster(group);
  uint32_t tile = blockIdx.x / params::gemm_cluster(group);
#pragma unroll 1
  for (uint32_t i = 0; i < args.count; ++i) {
    const uint32_t index = args.indexes[i];
    const GemmRecord& r = static_cast<const GemmRecord*>(args.records)[index];
    const uint32_t across = params::gemm_tiles_n(r), tiles = across * params::gemm_tiles_m(r);
    bool is_first = true;
#pragma unroll 1
    for (; tile < tiles; tile += clusters) {
      use(Tile{r, index, tile / across * params::gemm_cluster_m,
               tile % across * params::gemm_cluster_n(r.tile_n, group), is_first});
      is_first = false;
    }
    tile -= tiles;
  }
}

__device__ uint32_t stages_of(const GemmRecord& r) {
  return (r.matrices[0].columns + r.stage_elements - 1) / r.stage_elements;
}
/// Launches, and a group's products, reuse the address of a map.
__device__ const void* acquired_map(const void* map, bool is_first) {
  if (is_first) ptx::fence_proxy_tensormap_acquire_gpu(map);
  return map;
}

/// Map `which` of a record, and where it lies: in the record, or of a group among those of this CTA.
__device__ unsigned char* map_of(const BatchArgs& args, const GemmRecord& r, uint32_t which, uint32_t slot) {
  if (r.is_grouped)
    return static_cast<unsigned char*>(const_cast<void*>(args.maps)) +
           (blockIdx.x * params::gemm_cta_maps + slot) * 128;
  return const_cast<unsigned char*>(r.maps[which]);
}

/// By a whole warp, when nothing uses the map any more: the record's map of that number with its address and
/// extents, made in shared memory and published.
__device__ void rewrite_map(const BatchArgs& args, const GemmRecord& r, uint32_t which, uint32_t scratch,
                            unsigned char* to) {
  const uint32_t lane = threadIdx.x & 31;
  if (lane < 8) ptx::st_shared_v4(scratch + lane * 16, ptx::ld_global_v4(r.maps[which] + lane * 16));
  __syncwarp();
  if (lane == 0) {
    const params::GemmMatrix& matrix = r.matrices[which];
    ptx::replace_map(scratch, static_cast<unsigned char*>(args.output) + r.output_offset + matrix.offset,
                     matrix.columns, matrix.rows, matrix.pitch);
  }
  __syncwarp();
  ptx::tensormap_cp_fenceproxy_gpu(to, scratch);
}

__device__ uint32_t stage_a(uint32_t window, uint32_t stage) {
  return window + stage * 2 * gemm_operand_bytes;
}
__device__ uint32_t stage_b(uint32_t window, uint32_t stage) {
  return stage_a(window, stage) + gemm_operand_bytes;
}
inline constexpr uint32_t b_box_bytes = gemm_operand_bytes / 2;  ///< from one of two boxes of B to the other
/// Scales of A (or its metadata), before those of B, behind the stages and the boxes.
__device__ uint32_t stage_scales(uint32_t window, uint32_t stage) {
  return window + params::gemm_shared_bytes - (gemm_stages - stage) * 2 * gemm_scale_bytes;
}
template <uint32_t depth>
__device__ uint32_t barrier_of(uint64_t (&barriers)[depth], uint32_t at) {
  return ptx::shared_address(&barriers[at]);
}

/// The waits of one warp. One that lasts is noted where it survives this process: after 64 tries and a
/// millisecond, so that a pipeline that moves writes nothing.
class Waits {
 public:
  /// A thread that `leaves_notes` speaks for its warp.
  __device__ Waits(const BatchArgs& args, const Shared& shared, bool leaves_notes)
      : first_(ptx::shared_address(&shared)) {
    if (leaves_notes)
      note_ = args.notes + params::gemm_first_wait + blockIdx.x * params::gemm_warps + threadIdx.x / 32;
  }

  template <typename Try>
  __device__ void wait(uint32_t barrier, uint32_t parity, Try is_complete) {
    constexpr uint32_t enough = 64, is_noted = enough + 1;
    uint32_t tries = note_ == nullptr ? is_noted : 0;
    uint64_t since = 0;
    while (!is_complete(barrier, parity)) {
      // A loop that changes nothing any more shows the emulator that it will not end.
      if (tries == is_noted) continue;
      if (tries < enough) {
        if (++tries == enough) since = ptx::globaltimer();
      } else if (ptx::globaltimer() - since > 1'000'000) {
        ptx::st_volatile_global_u32(note_, params::gemm_wait_word({(barrier - first_) / 8, parity, ended_}));
        tries = is_noted;
      }
    }
    if (note_ != nullptr && tries == is_noted) note_clear(note_);
    ++ended_;
  }
  /// Also orders what threads of other CTAs did before they arrived.
  __device__ void wait_cluster(uint32_t barrier, uint32_t parity) {
    wait(barrier, parity, ptx::mbarrier_try_wait_parity_cluster);
  }
  __device__ void wait_cta(uint32_t barrier, uint32_t parity) {
    wait(barrier, parity, ptx::mbarrier_try_wait_parity);
  }

 private:
  const uint32_t first_;  ///< address of the first barrier
  uint32_t* note_ = nullptr;
  uint32_t ended_ = 0;
};

/// Scales of a stage come by the tile: those of A to whoever has its rows, those of B to all who multiply by
/// its columns. Of a sparse A its metadata come in their place.
template <int group>
__device__ void load_scales(const Tile& tile, const Place<group>& place, uint32_t stage, uint32_t to,
                            uint32_t full, const void* a_map, const void* b_map) {
  const GemmRecord& r = tile.record;
  const int32_t k = static_cast<int32_t>(stage * r.scale_tiles * (params::gemm_scale_tile_bytes / 8));
  const auto at = [&](uint32_t row) {
    return ptx::Coordinates{{k, static_cast<int32_t>(row / params::gemm_scale_tile_rows)}};
  };
  const ptx::Coordinates of_a = at(tile.m + place.member * gemm_tile_m);
  const uint32_t b = to + gemm_scale_bytes;
  if constexpr (group == 1) {
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

/// By a whole warp, of which one lane waits and loads.
template <int group>
__device__ void load(const BatchArgs& args, Shared& shared, uint32_t window, const Place<group>& place) {
  Ring<gemm_stages> ring;
  const bool leads = ptx::elect_one();
  Waits waits(args, shared, leads);
  uint32_t* const note = args.notes + args.first_note + blockIdx.x / place.cluster;
  // Until everyone who was sent the loads of this CTA has multiplied them.
  const auto drain = [&](Ring<gemm_stages> ring) {
#pragma unroll 1
    for (uint32_t i = 0; i < gemm_stages; ++i, ring.advance())
      waits.wait_cluster(barrier_of(shared.empty, ring.at), ring.parity ^ 1);
  };
  for_each_tile<group>(args, [&](const Tile& tile) {
    const GemmRecord& r = tile.record;
    if (tile.is_first && r.is_grouped) {
      if (leads) drain(ring);
      __syncwarp();
#pragma unroll 1
      for (uint32_t i = 0; i < (r.scale_tiles == 0 ? 2 : r.b_boxes == 2 ? 3 : 4); ++i)
        rewrite_map(args, r, i < 2 ? i : i + 1, ptx::shared_address(shared.maps[0]), map_of(args, r, 0, i));
    }
    if (!leads) return;
    if (tile.is_first && place.rank == 0) note_start(note, tile.index);
    const void* const a_map = acquired_map(map_of(args, r, 0, 0), tile.is_first);
    const void* const b_map = acquired_map(map_of(args, r, 1, 1), tile.is_first);
    const void *a_scales = nullptr, *b_scales = nullptr;
    if (r.scale_tiles != 0) {
      a_scales = acquired_map(map_of(args, r, 3, 2), tile.is_first);
      if (r.b_boxes == 1) b_scales = acquired_map(map_of(args, r, 4, 3), tile.is_first);
    }
    const uint32_t b_rows = r.tile_n / 2;  // that one load brings
    const uint32_t stages = stages_of(r);
#pragma unroll 1
    for (uint32_t i = 0; i < stages; ++i, ring.advance()) {
      const auto at = [&](uint32_t row, uint32_t box) {
        return ptx::Coordinates{{static_cast<int32_t>(box * r.stage_elements), static_cast<int32_t>(row)}};
      };
      const uint32_t full = barrier_of(shared.full, ring.at);
      const uint32_t a = stage_a(window, ring.at), b = stage_b(window, ring.at);
      waits.wait_cluster(barrier_of(shared.empty, ring.at), ring.parity ^ 1);
      if (place.multiplies) ptx::mbarrier_arrive_expect_tx(full, r.arrival_bytes);
      // All of a pair signals its leader.
      const uint32_t signal = group == 1 ? full : ptx::mapa_shared_cluster(full, place.leader);
      if constexpr (group == 1) {
        // Rows of A for itself.
        ptx::load_2d(a, a_map, at(tile.m + place.rank * gemm_tile_m, i), full);
      } else {
        // Half of its rows of A for the same member of both pairs.
        const uint32_t half = place.pair * (gemm_tile_m / 2);
        ptx::load_multicast_2d_pair(a + half * gemm_stage_bytes, a_map,
                                    at(tile.m + place.member * gemm_tile_m + half, i), signal,
                                    static_cast<uint16_t>(0b101 << place.member));
      }
#pragma unroll 1
      for (uint32_t box = 0; box < r.b_boxes; ++box) {
        const uint32_t to = b + box * b_box_bytes, number = i * r.b_boxes + box;
        if constexpr (group == 1) {
          // Half of B for both.
          const uint32_t first = place.rank * b_rows;
          ptx::load_multicast_2d(to + first * gemm_stage_bytes, b_map, at(tile.n + first, number), full,
                                 0b11);
        } else {
          // Half of the pair's B for itself.
          ptx::load_2d_pair(to, b_map, at(tile.n + place.pair * r.tile_n + place.member * b_rows, number),
                            signal);
        }
      }
      if (r.scale_tiles != 0)
        load_scales<group>(tile, place, i, stage_scales(window, ring.at), signal, a_scales, b_scales);
    }
  });
  if (!leads) return;
  // The last multiplications of the others still arrive here: not before that may this CTA end.
  drain(ring);
  if (place.rank == 0) note_clear(note);
}

/// K-major with the 128-byte swizzle, rows of 128 bytes: 8 of them every 1024 bytes.
__device__ uint64_t shared_descriptor(uint32_t address) {
  return uint64_t{(address & 0x3ffff) >> 4} | uint64_t{1} << 16 | uint64_t{1024 >> 4} << 32 |
         uint64_t{1} << 46 | uint64_t{2} << 61;
}
/// Rows of 16 bytes: 8 of them every 128 bytes.
__device__ uint64_t scale_descriptor(uint32_t address) {
  return uint64_t{(address & 0x3ffff) >> 4} | uint64_t{1} << 16 | uint64_t{128 >> 4} << 32 |
         uint64_t{1} << 46;
}

/// By the thread that issues the products next: they come after these copies. Nothing promises that a copy
/// comes after earlier products; but those that read these columns are complete, since the stage they belong
/// to is full again.
template <int group>
__device__ void copy_scales(uint32_t from, uint32_t to, uint32_t tiles) {
#pragma unroll 1
  for (uint32_t i = 0; i < tiles; ++i) {
    const uint64_t a = scale_descriptor(from + i * params::gemm_scale_tile_bytes);
    const uint32_t column = to + i * params::gemm_scale_tile_columns;
    ptx::tcgen05_cp_32x128b<group>(column, a);
    ptx::tcgen05_cp_32x128b<group>(column + params::gemm_scale_columns, a + (gemm_scale_bytes >> 4));
  }
}

template <int group>
__device__ void multiply(const BatchArgs& args, Shared& shared, uint32_t window, const Place<group>& place) {
  Ring<gemm_stages> ring;
  Ring<2> half;
  Waits waits(args, shared, true);
  for_each_tile<group>(args, [&](const Tile& tile) {
    const GemmRecord& r = tile.record;
    const uint32_t stages = stages_of(r);
    const uint32_t d = shared.tmem + half.at * (r.alloc_columns / 2);
    const uint32_t opcode = r.opcode, idesc = r.idesc, scale_count = r.scale_count;
    const bool is_sparse = r.b_boxes == 2;
    // Tiles of scales have 128 columns of B: those of a narrower tile of D begin inside.
    const uint32_t first = (tile.n + place.pair * r.tile_n) % params::gemm_scale_tile_rows / 32;
    waits.wait_cluster(barrier_of(shared.drained, half.at), half.parity ^ 1);
    ptx::tcgen05_fence_after_thread_sync();
#pragma unroll 1
    for (uint32_t i = 0; i < stages; ++i, ring.advance()) {
      waits.wait_cluster(barrier_of(shared.full, ring.at), ring.parity);
      ptx::tcgen05_fence_after_thread_sync();
      const uint64_t a = shared_descriptor(stage_a(window, ring.at));
      const uint64_t b = shared_descriptor(stage_b(window, ring.at));
      const uint32_t scales = shared.tmem + gemm_tile_m + ring.at * 2 * params::gemm_scale_columns;
      if (is_sparse)
        ptx::tcgen05_cp_128x128b<group>(scales, scale_descriptor(stage_scales(window, ring.at)));
      else
        copy_scales<group>(stage_scales(window, ring.at), scales, r.scale_tiles);
#pragma unroll 1
      for (uint32_t j = 0; j < gemm_stage_bytes / params::gemm_instruction_bytes; ++j) {
        const uint32_t units = j * params::gemm_instruction_bytes / 16;
        // Of a sparse A an instruction takes twice as much of B, two of them a box; the metadata of two are a
        // pair of columns, of which the selector names one.
        const uint32_t b_units = is_sparse ? (j / 2 * b_box_bytes + j % 2 * 64) / 16 : units;
        const uint32_t scale = j * scale_count, id = scale % params::gemm_scale_tile_k;
        const uint32_t of_a = scales + (is_sparse ? j & ~1u : scale - id);  // a column for each scale
        const uint32_t of_b = scales + params::gemm_scale_columns + scale - id + first;
        ptx::tcgen05_mma_stage<group>(opcode, d, a + units, b + b_units,
                                      idesc | id << 29 | id << 4 | (is_sparse ? j & 1 : 0), of_a, of_b,
                                      i + j > 0);
      }
      ptx::tcgen05_commit_multicast<group>(barrier_of(shared.empty, ring.at),
                                           static_cast<uint16_t>((1 << place.cluster) - 1));
    }
    if constexpr (group == 1)
      ptx::tcgen05_commit<group>(barrier_of(shared.accumulated, half.at));
    else
      ptx::tcgen05_commit_multicast<group>(barrier_of(shared.accumulated, half.at),
                                           static_cast<uint16_t>(0b11 << place.leader));
    half.advance();
  });
}

/// A row of a box is 32 columns of D, 128 bytes, swizzled as its map says: 16-byte pieces change places.
__device__ void write_row(uint32_t box, uint32_t row, const uint32_t (&v)[32]) {
#pragma unroll
  for (uint32_t piece = 0; piece < 8; ++piece)
    ptx::st_shared_v4(box + row * 128 + ((piece ^ (row & 7)) * 16),
                      make_uint4(v[piece * 4], v[piece * 4 + 1], v[piece * 4 + 2], v[piece * 4 + 3]));
}

/// The record is done when all parts of all its tiles are in global memory.
__device__ void count_part(const BatchArgs& args, const Tile& tile) {
  __threadfence();
  uint32_t* const parts =
      reinterpret_cast<uint32_t*>(static_cast<unsigned char*>(args.output) + tile.record.output_offset);
  if (atomicAdd(parts, 1) + 1 == params::gemm_parts(tile.record))
    write_end(args, tile.index, params::probe_done);
}

template <int group>
__device__ void store(const BatchArgs& args, Shared& shared, uint32_t window, const Place<group>& place) {
  const uint32_t warp = threadIdx.x / 32 & 3, lane = threadIdx.x & 31;  // lanes 32 * warp of tensor memory
  const uint32_t boxes = window + gemm_stages * 2 * gemm_operand_bytes + warp * 2 * params::gemm_box_bytes;
  const bool leads = ptx::elect_one();
  Waits waits(args, shared, leads);
  uint32_t box = 0;
  Ring<2> half;
  for_each_tile<group>(args, [&](const Tile& tile) {
    const GemmRecord& r = tile.record;
    unsigned char* const map = map_of(args, r, 2, 4 + warp);
    if (tile.is_first && r.is_grouped)
      rewrite_map(args, r, 2, ptx::shared_address(shared.maps[1 + warp]), map);
    if (leads) acquired_map(map, tile.is_first);
    const uint32_t d = shared.tmem + half.at * (r.alloc_columns / 2) + (warp * 32 << 16);
    const uint32_t row = tile.m + place.member * gemm_tile_m + warp * 32;
    const uint32_t first = tile.n + (group == 1 ? 0 : place.pair * r.tile_n);
    waits.wait_cta(barrier_of(shared.accumulated, half.at), half.parity);
    __syncwarp();  // one lane may have come later, from its note
    ptx::tcgen05_fence_after_thread_sync();
#pragma unroll 1
    for (uint32_t column = 0; column < r.tile_n; column += 32) {
      uint32_t v[32];
      ptx::tcgen05_ld_32x32b_x32(v, d + column);
      ptx::tcgen05_wait_ld();
      if (column + 32 == r.tile_n) {
        // Nothing is left to read: the half may be accumulated into again.
        ptx::tcgen05_fence_before_thread_sync();
        __syncwarp();
        if (leads) {
          const uint32_t drained = barrier_of(shared.drained, half.at);
          ptx::mbarrier_arrive_cluster(
              ptx::mapa_shared_cluster(drained, group == 1 ? place.rank : place.leader));
        }
      }
      if (leads) ptx::cp_async_bulk_wait_group_read<1>();
      __syncwarp();
      const uint32_t to = boxes + box * params::gemm_box_bytes;
      write_row(to, lane, v);
      ptx::fence_proxy_async_shared_cta();
      __syncwarp();
      if (leads) {
        ptx::store_2d(
            map, ptx::Coordinates{{static_cast<int32_t>(first + column), static_cast<int32_t>(row)}}, to);
        ptx::cp_async_bulk_commit_group();
      }
      box ^= 1;
    }
    if (leads) {
      ptx::cp_async_bulk_wait_group_0();
      count_part(args, tile);
    }
    half.advance();
  });
}

__device__ void synchronize_cluster() {
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
}

template <int group>
__device__ void run(const BatchArgs& args) {
  __shared__ Shared shared;
  const uint32_t columns = static_cast<const GemmRecord*>(args.records)[args.indexes[0]].alloc_columns;
  const uint32_t window = window_address();
  const uint32_t warp = threadIdx.x / 32;
  const Place<group> place;
  if (threadIdx.x == 0) {
    for (uint32_t i = 0; i < gemm_stages; ++i) {
      ptx::mbarrier_init(barrier_of(shared.full, i), 1);
      ptx::mbarrier_init(barrier_of(shared.empty, i), 2);  // both CTAs, or both pairs, multiply
    }
    for (uint32_t i = 0; i < 2; ++i) {
      ptx::mbarrier_init(barrier_of(shared.accumulated, i), 1);
      ptx::mbarrier_init(barrier_of(shared.drained, i), 4 * group);
    }
    ptx::fence_mbarrier_init();
  }
  __syncwarp();
  if (warp == multiply_warp) {
    ptx::tcgen05_alloc<group>(ptx::shared_address(&shared.tmem), columns);
    ptx::tcgen05_relinquish_alloc_permit<group>();
  }
  ptx::tcgen05_fence_before_thread_sync();
  synchronize_cluster();
  ptx::tcgen05_fence_after_thread_sync();
  if (warp == load_warp) {
    load<group>(args, shared, window, place);
  } else if (warp == multiply_warp) {
    if (place.multiplies && ptx::elect_one()) multiply<group>(args, shared, window, place);
  } else {
    store<group>(args, shared, window, place);
  }
  __syncwarp();
  ptx::tcgen05_fence_before_thread_sync();
  synchronize_cluster();
  ptx::tcgen05_fence_after_thread_sync();
  if (warp == multiply_warp) ptx::tcgen05_dealloc<group>(shared.tmem, columns);
}

}  // namespace gemm

using params::BatchArgs;
/// Writes header, operands, scales and D's bytes before, one CTA a record.
extern "C" __global__ void __launch_bounds__(probe::probe_threads)
    gemm_fill(const __grid_constant__ BatchArgs args) {
#pragma unroll 1
  for (uint32_t i = blockIdx.x; i < args.count; i += gridDim.x) {
    const params::GemmRecord& r = static_cast<const params::GemmRecord*>(args.records)[args.indexes[i]];
    uint32_t* const slot =
        reinterpret_cast<uint32_t*>(static_cast<unsigned char*>(args.output) + r.output_offset);
    const uint64_t a = r.matrices[0].offset, b = r.matrices[1].offset, d = r.matrices[2].offset,
                   a_scales = r.matrices[3].offset, b_scales = r.matrices[4].offset, end = r.output_bytes;
#pragma unroll 1
    for (uint64_t at = threadIdx.x * 4; at < end; at += probe::probe_threads * 4) {
      const bool is_scale = at >= a_scales, is_b = at >= (is_scale ? b_scales : b);
      const params::OperandFill& fill = is_scale ? (is_b ? r.b_scale_fill : r.a_scale_fill)
                                        : is_b   ? r.b_fill
                                                 : r.a_fill;
      const uint64_t begin = is_scale ? (is_b ? b_scales : a_scales) : is_b ? b : a;
      slot[at / 4] = at < a    ? 0
                     : at >= d ? params::gemm_before
                               : params::operand_word(fill, (at - begin) / 4);
    }
  }
}

extern "C" __global__ void __launch_bounds__(params::gemm_threads)
    gemm_pipeline(const __grid_constant__ BatchArgs args) {
  gemm::run<1>(args);
}
extern "C" __global__ void __launch_bounds__(params::gemm_threads)
    gemm_pipeline_pair(const __grid_constant__ BatchArgs args) {
  gemm::run<2>(args);
}

}  // namespace assay
