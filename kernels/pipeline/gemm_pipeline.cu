// SPDX-License-Identifier: Apache-2.0
#include "kernels/pipeline/gemm_load.cuh"
#include "kernels/pipeline/gemm_parts.cuh"

/// A matrix multiplication as libraries ship it: persistent clusters, which share the tiles by turns or by
/// cluster launch control, a warp that loads by TMA with multicast into four stages, one that multiplies by
/// tcgen05.mma into one half of tensor memory while four others store the other half by TMA. Many products in
/// one launch.
namespace assay {
namespace gemm {

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
__device__ void multiply(const BatchArgs& args, Shared& shared, uint32_t window, const Place& place) {
  Ring<gemm_stages> ring;
  Ring<2> half, handed;
  Waits waits(args, shared, true);
#pragma unroll 1
  for (;;) {
    const Tile tile = handed_tile(shared, waits, handed.at, handed.parity);
    ptx::mbarrier_arrive(barrier_of(shared.taken, handed.at));
    handed.advance();
    if (tile.index == Tile::none) break;
    const GemmRecord& r = tile.record(args);
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
  }
}

/// A row of a box is 32 columns of D, 128 bytes, swizzled as its map says: 16-byte pieces change places.
__device__ void write_row(uint32_t box, uint32_t row, const uint32_t (&v)[32]) {
#pragma unroll
  for (uint32_t piece = 0; piece < 8; ++piece)
    ptx::st_shared_v4(box + row * 128 + ((piece ^ (row & 7)) * 16),
                      make_uint4(v[piece * 4], v[piece * 4 + 1], v[piece * 4 + 2], v[piece * 4 + 3]));
}

/// The record is done when all parts of all its tiles are in global memory.
__device__ void count_part(const BatchArgs& args, const GemmRecord& r, const Tile& tile) {
  __threadfence();
  uint32_t* const parts =
      reinterpret_cast<uint32_t*>(static_cast<unsigned char*>(args.output) + r.output_offset);
  if (atomicAdd(parts, 1) + 1 == params::gemm_parts(r)) write_end(args, tile.index, params::probe_done);
}

/// The same instructions for one CTA and for pairs: a function of its own, so that they stand once in the
/// program.
__device__ __noinline__ void store(const BatchArgs& args, Shared& shared, uint32_t window, uint32_t group) {
  const Place place(group);
  const uint32_t warp = threadIdx.x / 32 & 3, lane = threadIdx.x & 31;  // lanes 32 * warp of tensor memory
  const uint32_t boxes = window + gemm_stages * 2 * gemm_operand_bytes + warp * 2 * params::gemm_box_bytes;
  const bool leads = ptx::elect_one();
  Waits waits(args, shared, leads);
  uint32_t box = 0;
  Ring<2> half, handed;
#pragma unroll 1
  for (;;) {
    const Tile tile = handed_tile(shared, waits, handed.at, handed.parity);
    __syncwarp();
    if (leads) ptx::mbarrier_arrive(barrier_of(shared.taken, handed.at));
    handed.advance();
    if (tile.index == Tile::none) break;
    const GemmRecord& r = tile.record(args);
    unsigned char* const map = map_of(args, shared, r, 2, 4 + warp);
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
        const ptx::Coordinates at{{static_cast<int32_t>(first + column), static_cast<int32_t>(row)}};
        if (r.reduces)
          ptx::reduce_add_2d(map, at, to);
        else
          ptx::store_2d(map, at, to);
        ptx::cp_async_bulk_commit_group();
      }
      box ^= 1;
    }
    if (leads) {
      ptx::cp_async_bulk_wait_group_0();
      count_part(args, r, tile);
    }
    half.advance();
  }
}

__device__ void synchronize_cluster() {
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
}

template <int group>
__device__ void run(const BatchArgs& args) {
  // All shared memory is dynamic, so that the window begins where the system's part ends.
  extern __shared__ __align__(1024) unsigned char dynamic_shared[];
  Shared& shared = *reinterpret_cast<Shared*>(dynamic_shared + params::gemm_barriers_at);
  const uint32_t columns = static_cast<const GemmRecord*>(args.records)[args.indexes[0]].alloc_columns;
  const uint32_t window = window_address();
  const uint32_t warp = threadIdx.x / 32;
  const Place place(group);
  if (threadIdx.x == 0) {
    shared.cta = own_cluster_number() * place.cluster + place.rank;
#pragma unroll 1
    for (uint32_t i = 0; i < gemm_stages; ++i) {
      ptx::mbarrier_init(barrier_of(shared.full, i), 1);
      ptx::mbarrier_init(barrier_of(shared.empty, i), 2);  // both CTAs, or both pairs, multiply
    }
#pragma unroll 1
    for (uint32_t i = 0; i < 2; ++i) {
      ptx::mbarrier_init(barrier_of(shared.accumulated, i), 1);
      ptx::mbarrier_init(barrier_of(shared.drained, i), 4 * group);
      ptx::mbarrier_init(barrier_of(shared.handed, i), 1);
      ptx::mbarrier_init(barrier_of(shared.taken, i), place.multiplies ? 5 : 4);
    }
    ptx::mbarrier_init(ptx::shared_address(&shared.answered), 1);
    ptx::mbarrier_init(ptx::shared_address(&shared.answer_read), place.cluster);
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
    load(args, shared, window, group);
  } else if (warp == multiply_warp) {
    if (place.multiplies && ptx::elect_one()) multiply<group>(args, shared, window, place);
  } else {
    store(args, shared, window, group);
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
      const bool is_scale = at >= a_scales, is_b = at >= (is_scale ? b_scales : b), is_d = at >= d;
      const params::OperandFill& fill = is_d       ? r.d_fill
                                        : is_scale ? (is_b ? r.b_scale_fill : r.a_scale_fill)
                                        : is_b     ? r.b_fill
                                                   : r.a_fill;
      const uint64_t begin = is_d ? d : is_scale ? (is_b ? b_scales : a_scales) : is_b ? b : a;
      slot[at / 4] = at < a ? 0 : params::operand_word(fill, (at - begin) / 4);
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
