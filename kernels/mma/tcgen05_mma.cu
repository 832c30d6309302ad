// SPDX-License-Identifier: Apache-2.0
#include "kernels/mma/tcgen05_mma.cuh"
#include "kernels/operand_image.cuh"
#include "kernels/operands.cuh"
#include "kernels/pair.cuh"
#include "kernels/params/tcgen05.h"
#include "kernels/params/tmem_copy.h"
#include "kernels/tmem/tmem_copy.cuh"

/// Batched probes of tcgen05.mma and tcgen05.mma.ws, dense and sparse: one record is one accumulation. All
/// records of a launch allocate the same number of columns.
namespace assay {
/// Named, so that the text that nvcc writes holds no hash of this file's path.
namespace probe {

using params::Tcgen05MmaRecord;

struct Shared {
  alignas(8) uint64_t barrier;  ///< of accumulations
  uint64_t filled;              ///< of loads by TMA
  uint32_t next;                ///< record index that the CTA (pair) is at
  uint32_t abandoned;           ///< the accumulation never completed: this CTA (pair) takes no more records
  uint32_t tmem;                ///< address of the allocation
  uint32_t below;               ///< of the one before it, where there is one
};

/// Below the columns of the records a pair of CTAs holds others where there is room for both, so that it is
/// told a column that is not the first.
constexpr uint32_t columns_below = 32;
__device__ constexpr bool has_columns_below(int group, uint32_t columns) {
  return group == 2 && columns > columns_below && columns <= 256;
}

/// Whether tcgen05.cp brings the scales.
__device__ bool are_copied(const Tcgen05MmaRecord& r) {
  return r.scale_count != 0 && r.a_scales.source < r.window_bytes;
}

/// Over what the columns hold already. `halves`: the upper 64 lanes have other scales than the lower.
__device__ void fill_scales(const params::TensorScales& scales, uint32_t tmem, uint32_t rank, bool halves) {
  const OperandFill fill = of_rank(scales.fill, rank);
  const uint32_t lanes = tmem + ((threadIdx.x & ~31u) << 16) + scales.column;
#pragma unroll 1
  for (uint32_t column = 0; column < scales.columns; ++column)
    ptx::tcgen05_st_32x32b_x1(lanes + column,
                              params::operand_word(fill, params::scale_word(threadIdx.x, column, halves)));
}

/// Over what the columns hold already, or into shared memory behind the window: a row of four columns for
/// each lane, copy after copy.
__device__ void fill_metadata(const Tcgen05MmaRecord& r, uint32_t behind, uint32_t tmem, uint32_t rank) {
  params::MetadataFill fill = r.metadata;
  fill.seed += uint64_t{rank} << 32;
  const uint32_t lanes = tmem + ((threadIdx.x & ~31u) << 16) + fill.column;
#pragma unroll 1
  for (uint32_t column = 0; column < fill.columns; ++column) {
    const uint32_t word = params::metadata_word(fill, threadIdx.x, column);
    if (r.flags & params::mma_metadata_copied)
      ptx::st_shared_u32(
          behind + column / 4 * params::metadata_copy_bytes + threadIdx.x * 16 + column % 4 * 4, word);
    else
      ptx::tcgen05_st_32x32b_x1(lanes + column, word);
  }
}

/// The window's part that holds the same row (column) in each line.
__device__ void fill_known(uint32_t window, uint32_t from, uint32_t to, const uint32_t* row) {
#pragma unroll 1
  for (uint32_t at = from + threadIdx.x * vector_bytes; at < to; at += sweep_bytes) {
    const uint32_t* quad = row + at / 128 % 2 * 4;
    ptx::st_shared_v4(window + at, make_uint4(quad[0], quad[1], quad[2], quad[3]));
  }
}

/// What a part of the shared window is filled with: the first operands, the second, scales of A, those of B.
struct Part {
  uint32_t begin;  ///< bytes of the window
  uint32_t first;  ///< where its words are numbered from
  const OperandFill* fill;
};
__device__ Part part_of(const Tcgen05MmaRecord& r, uint32_t part) {
  if (part == 0) return {0, 0, &r.a_fill};
  if (part == 1) return {r.split, 0, &r.b_fill};
  const params::TensorScales& scales = part == 2 ? r.a_scales : r.b_scales;
  return {part == 4 ? r.window_bytes : scales.source, scales.source, &scales.fill};
}

// Not inline: both kernels call it, and their PTX is kept.
__device__ __noinline__ void fill_all(const Tcgen05MmaRecord& r, uint32_t window, unsigned char* image,
                                      uint32_t tmem, uint32_t rank) {
  const uint32_t tmem_split = min(r.tmem_split, r.alloc_columns);
  if (r.image.row_bytes)
    write_image(image, r.window_bytes, r.image.swizzle, [&](uint32_t i) {
      const Part part =
          part_of(r, (i * 4 >= r.split) + (i * 4 >= r.a_scales.source) + (i * 4 >= r.b_scales.source));
      return params::operand_word(of_rank(*part.fill, rank), i - part.first / 4);
    });
#pragma unroll 1
  for (uint32_t i = 0; i < 4; ++i) {
    const Part part = part_of(r, i);
    const uint32_t end = part_of(r, i + 1).begin;
    if (r.known.present && i < 2)
      fill_known(window, part.begin, end, i ? r.known.b_column : r.known.a_row);
    else if (!r.image.row_bytes)
      fill_operands(window + part.first, part.begin - part.first, end - part.first,
                    of_rank(*part.fill, rank));
    if (i < 2)
      fill_tensor_memory(tmem, r.alloc_columns, i ? tmem_split : 0, i ? r.alloc_columns : tmem_split,
                         of_rank(i ? r.tmem_a_fill : r.d_fill, rank));
  }
  if (r.scale_count == 0 && r.metadata.columns == 0) return;
  ptx::tcgen05_wait_st();
  fill_metadata(r, window + r.window_bytes, tmem, rank);
  if (r.scale_count == 0 || are_copied(r)) return;
#pragma unroll 1
  for (uint32_t i = 0; i < 2; ++i)
    fill_scales(i ? r.b_scales : r.a_scales, tmem, rank, i && r.flags & params::mma_scale_halves);
}

/// Scales of A, those of B, metadata: by one thread, which issues the products next. They come after these
/// copies. `again`: other scales.
template <int group>
__device__ void copy_all(const Tcgen05MmaRecord& r, uint32_t window, uint32_t tmem, bool again) {
  using params::CopyShape;
  const uint32_t last = !again && r.flags & params::mma_metadata_copied ? 3 : 2;
#pragma unroll 1
  for (uint32_t i = are_copied(r) ? 0 : 2; i < last; ++i) {
    const params::TensorScales& scales = i ? r.b_scales : r.a_scales;
    const bool is_metadata = i == 2, has_halves = i == 1 && r.flags & params::mma_scale_halves;
    const CopyShape shape = is_metadata  ? CopyShape::s128x128b
                            : has_halves ? CopyShape::s64x128b_warpx2_01_23
                                         : CopyShape::s32x128b_warpx4;
    const uint32_t first = is_metadata ? r.metadata.column : scales.column,
                   columns = is_metadata ? r.metadata.columns : scales.columns,
                   source = is_metadata ? r.window_bytes : scales.source,
                   bytes = is_metadata ? params::metadata_copy_bytes : params::scale_copy_bytes;
    const uint32_t behind = again ? columns / 4 * bytes : 0;
    uint64_t descriptor = advance(r.scale_copy_desc, 0, (window + source + behind) >> 4);
#pragma unroll 1
    for (uint32_t column = 0; column < columns; column += 4) {
      ptx::tcgen05_cp<group>(params::plain_copy_opcode(static_cast<uint32_t>(shape)), tmem + first + column,
                             descriptor);
      descriptor = advance(descriptor, 0, bytes >> 4);
    }
  }
}

/// The scales of a step: where they begin in tensor memory, and the ids in the instruction descriptor.
__device__ void take_scales(const Tcgen05MmaRecord& r, uint32_t step, uint32_t tmem, ptx::MmaOperands& m) {
  const uint32_t further = step * r.scale_count;
  const uint32_t a = (r.idesc >> 29 & 3) + further, b = (r.idesc >> 4 & 3) + further;
  m.idesc = (r.idesc & ~0x60000030u) | (a & 3) << 29 | (b & 3) << 4;
  m.scale_a = tmem + r.a_scales.column + (a >> 2) * r.a_scales.group;
  m.scale_b = tmem + r.b_scales.column + (b >> 2) * r.b_scales.group;
}

/// The metadata of a step, in the lanes of D: where they begin, and the selector in the instruction
/// descriptor. Nothing follows what selectors 2 and 3 may name.
__device__ void take_metadata(const Tcgen05MmaRecord& r, uint32_t step, uint32_t tmem, ptx::MmaOperands& m) {
  m.sp_meta = tmem + (r.d_taddr & 0xffff0000u) + r.metadata.column;
  if (!r.metadata.has_selector) {
    m.sp_meta += 2 * step;
    return;
  }
  const uint32_t at = (r.idesc & 3) + step;
  if (step == 0 || (r.idesc & 2)) return;
  m.idesc = (r.idesc & ~3u) | (at & 1);
  m.sp_meta += at & ~1u;
}

template <int group>
__device__ void accumulate(const Tcgen05MmaRecord& r, uint32_t window, uint32_t tmem, uint32_t d_taddr) {
  ptx::MmaOperands m;
  m.d_tmem = tmem + d_taddr;
  m.a_tmem = tmem + r.a_taddr;
  m.idesc = r.idesc;
  m.enable_input_d = r.flags & params::mma_enable_input_d;
  m.a_desc = relocated(r.a_desc, window);
  m.b_desc = relocated(r.b_desc, window);
  m.zero_column_mask = r.zero_column_mask;
  for (uint32_t i = 0; i < 8; ++i) m.disable_output_lane[i] = r.disable_output_lane[i];
  const bool fills = r.flags & params::mma_collector_filled;
  const uint32_t last = fills ? 2 * r.steps : r.steps;
#pragma unroll 1
  for (uint32_t i = 0; i < last; ++i) {
    const bool is_filling = fills && i % 2 == 0;
    const uint32_t opcode = is_filling ? r.filling_opcode : r.opcode;
    take_metadata(r, fills ? i / 2 : i, tmem, m);
    if (r.scale_count) {
      take_scales(r, fills ? i / 2 : i, tmem, m);
      ptx::tcgen05_mma_block_scale<group>(opcode, m);
    } else if (group == 1 && (r.flags & params::mma_ws))
      ptx::tcgen05_mma_ws(opcode, m);
    else
      ptx::tcgen05_mma<group>(opcode, m);
    m.enable_input_d = 1;
    if (is_filling) continue;
    m.a_desc = advance(m.a_desc, 0, r.a_step);
    m.b_desc = advance(m.b_desc, 0, r.b_step);
    m.a_tmem += r.a_step;
  }
}

/// Tensor memory, by a warp.
template <int group>
__device__ __forceinline__ void allocate(Shared& shared, uint32_t columns) {
  if (has_columns_below(group, columns))
    ptx::tcgen05_alloc<group>(ptx::shared_address(&shared.below), columns_below);
  ptx::tcgen05_alloc<group>(ptx::shared_address(&shared.tmem), columns);
  ptx::tcgen05_relinquish_alloc_permit<group>();
}

/// The products of a record, by one thread, until they are complete; false: they do not come to an end.
template <int group>
__device__ __forceinline__ bool multiply(const Tcgen05MmaRecord& r, uint32_t window, uint32_t tmem,
                                         uint32_t barrier, uint32_t parity) {
  ptx::tcgen05_fence_after_thread_sync();
  copy_all<group>(r, window, tmem, false);
#pragma unroll 1
  for (uint32_t d_taddr = r.d_taddr, is_second = 0;; is_second = 1) {
    accumulate<group>(r, window, tmem, d_taddr);
    if (!is_second && r.flags & params::mma_scales_refilled) copy_all<group>(r, window, tmem, true);
    if (is_second || r.second_column == 0) break;
    d_taddr = (r.d_taddr & 0xffff0000u) | r.second_column;
  }
  ptx::tcgen05_commit<group>(barrier);
  return wait_bounded(barrier, parity);
}

template <int group>
__device__ void run(const BatchArgs& args) {
  __shared__ Shared shared;
  const Tcgen05MmaRecord* const records = static_cast<const Tcgen05MmaRecord*>(args.records);
  const uint32_t window = window_address();
  const uint32_t barrier = ptx::shared_address(&shared.barrier), filled = ptx::shared_address(&shared.filled);
  const uint32_t rank = group == 1 ? 0 : ptx::cluster_ctarank();
  const uint32_t columns = records[args.indexes[0]].alloc_columns;
  const bool leader = threadIdx.x == 0 && rank == 0;
  uint32_t* const note = args.notes + args.first_note + blockIdx.x / group;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(barrier, 1);
    ptx::mbarrier_init(filled, 1);
    ptx::fence_mbarrier_init();
    shared.abandoned = 0;
  }
  if (threadIdx.x < 32) allocate<group>(shared, columns);
  ptx::tcgen05_fence_before_thread_sync();
  synchronize<group>();
  ptx::tcgen05_fence_after_thread_sync();
  const uint32_t tmem = shared.tmem;
  uint32_t parity = 0, filled_parity = 0;
  for (;;) {
    if (leader) {
      const uint32_t index = take(args);
      if (index != ~0u) note_start(note, index);
      tell<group>(shared.next, index);
    }
    synchronize<group>();
    const uint32_t current = shared.next;
    if (current == ~0u) break;
    const Tcgen05MmaRecord& r = records[current];
    unsigned char* const output = static_cast<unsigned char*>(args.output) + r.output_offset;
    fill_all(r, window, output + uint64_t{group} * 128 * columns * 4 + uint64_t{rank} * r.window_bytes, tmem,
             rank);
    ptx::tcgen05_wait_st();
    ptx::fence_proxy_async_shared_cta();
    ptx::tcgen05_fence_before_thread_sync();
    synchronize<group>();
    if (r.image.row_bytes) {
      const unsigned char* map = static_cast<const unsigned char*>(args.maps) + uint64_t{current} * 128;
      if (threadIdx.x == 0 && !load_image(r.image, map, window, r.window_bytes, rank, filled, filled_parity))
        tell<group>(shared.abandoned, 1);
      filled_parity ^= 1;
      synchronize<group>();
    }
    const bool issues = rank == (r.flags & params::mma_odd_cta_issues ? 1 : 0);
    if (issues && threadIdx.x == params::issuing_thread_of(r.flags) && !shared.abandoned) {
      if (!multiply<group>(r, window, tmem, barrier, parity)) tell<group>(shared.abandoned, 1);
      ptx::tcgen05_fence_before_thread_sync();
    }
    parity ^= issues;
    synchronize<group>();
    ptx::tcgen05_fence_after_thread_sync();
    read_tensor_memory(output + uint64_t{rank} * 128 * columns * 4, tmem, columns);
    ptx::tcgen05_fence_before_thread_sync();
    synchronize<group>();
    if (leader) {
      write_end(args, current, shared.abandoned ? params::probe_timed_out : params::probe_done);
      note_clear(note);
    }
    if (shared.abandoned) break;
  }
  ptx::tcgen05_fence_after_thread_sync();
  if (threadIdx.x < 32) {
    ptx::tcgen05_dealloc<group>(tmem, columns);
    if (has_columns_below(group, columns)) ptx::tcgen05_dealloc<group>(shared.below, columns_below);
  }
}

}  // namespace probe

using probe::BatchArgs;
using probe::probe_threads;

extern "C" __global__ void __launch_bounds__(probe_threads)
    tcgen05_mma(const __grid_constant__ BatchArgs args) {
  probe::run<1>(args);
}
/// One record a cluster of two.
extern "C" __global__ void __launch_bounds__(probe_threads)
    tcgen05_mma_pair(const __grid_constant__ BatchArgs args) {
  probe::run<2>(args);
}

}  // namespace assay
