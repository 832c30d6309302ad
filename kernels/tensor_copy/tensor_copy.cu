// SPDX-License-Identifier: Apache-2.0
#include "kernels/tensor_copy/tensor_copy.cuh"

#include <cstddef>

#include "kernels/params/tensor_copy.h"
#include "kernels/probe.cuh"

/// Batched probes of tensor copies, whatever their mode: one record is one copy.
namespace assay {
namespace probe {

using params::TiledCopyRecord;

/// L2 evict_first, the constant that CUTLASS passes for sm_90 and sm_100 (cute/arch/copy_sm90_desc.hpp).
constexpr uint64_t evict_first = 0x12F0000000000000ull;

struct Shared {
  alignas(8) uint64_t barrier;
  uint32_t next;       ///< record index that the CTA is at
  uint32_t abandoned;  ///< the barrier is unusable: this CTA takes no more records
  uint32_t is_last;    ///< the same at the end of a record, when others may still look at `abandoned`
};

__device__ uint64_t wide(uint32_t low, uint32_t high) {
  return uint64_t{high} << 32 | low;
}

/// Where the members begin that the device reads, 16 bytes at a time.
constexpr uint32_t part = offsetof(TiledCopyRecord, coord);
static_assert(part % 16 == 0 && offsetof(TiledCopyRecord, opcode) == part + 28 &&
              offsetof(TiledCopyRecord, flags) == part + 32 &&
              offsetof(TiledCopyRecord, fill_offset) == part + 48 &&
              offsetof(TiledCopyRecord, slot_fill_offset) == part + 64 &&
              offsetof(TiledCopyRecord, prefetch_opcode) == part + 76 &&
              offsetof(TiledCopyRecord, signals) == part + 80 &&
              offsetof(TiledCopyRecord, barrier_offset) == part + 104 &&
              offsetof(TiledCopyRecord, more_lanes) == part + 112 &&
              offsetof(TiledCopyRecord, other_lanes) == part + 140);

__device__ const unsigned char* record_part(const BatchArgs& args, uint32_t index) {
  return static_cast<const unsigned char*>(args.records) + sizeof(TiledCopyRecord) * uint64_t{index} + part;
}

/// What all threads need.
struct Fields {
  uint32_t flags, tile_offset, window_bytes, expect_tx;
  uint64_t fill_offset, output_offset;
};
__device__ Fields read_fields(const unsigned char* record) {
  const uint4 c = ptx::ld_global_v4(record + 32), d = ptx::ld_global_v4(record + 48);
  return {c.x, c.y, c.z, c.w, wide(d.x, d.y), wide(d.z, d.w)};
}

/// Where the barrier of a record lies and which threads issue.
struct Place {
  uint32_t barrier;     ///< the kernel's own, or one that begins and ends with the record
  uint32_t turn, last;  ///< of the copies, those that this thread issues
  bool issues;
};
__device__ Place place_of(const unsigned char* record, uint32_t flags, uint32_t window, uint32_t own) {
  const uint4 a = ptx::ld_global_v4(record + 96);
  const uint32_t turn = threadIdx.x - a.w, more = ptx::ld_global_v4(record + 112).x;
  const bool in_a_row = flags & params::copy_in_a_row;
  return {flags & params::copy_far_barrier ? window + a.z : own, turn, in_a_row ? more : turn,
          turn <= (in_a_row ? 0 : more)};
}

/// What an issuing thread needs: the operands, and the map, ready for the tensormap proxy (launches reuse
/// the same addresses).
struct Issue {
  uint32_t opcode;
  ptx::TensorOperands at;
  const void* map;
  uint32_t tile;  ///< bytes from the window's start
};
__device__ Issue prepare(const BatchArgs& args, uint32_t index, const unsigned char* record, const Fields& f,
                         uint32_t turn) {
  const uint4 a = ptx::ld_global_v4(record), b = ptx::ld_global_v4(record + 16);
  const uint4 c = ptx::ld_global_v4(record + 112), d = ptx::ld_global_v4(record + 128);
  unsigned char* map = static_cast<unsigned char*>(const_cast<void*>(args.maps)) +
                       params::copy_maps_bytes * uint64_t{index} + 128 * (d.w >> turn & 1);
  if (f.flags & params::copy_replace_swizzle_96B) {
    ptx::tensormap_replace_swizzle_mode_96B(map);
    ptx::fence_proxy_tensormap_release_gpu();
  }
  ptx::fence_proxy_tensormap_acquire_gpu(map);
  const auto further = [&](uint32_t coord, uint32_t step) {
    return static_cast<int32_t>(coord + turn * step);
  };
  return {b.w,
          {{further(a.x, c.z), further(a.y, c.w), further(a.z, d.x), further(a.w, d.y), further(b.x, d.z)},
           {static_cast<uint16_t>(b.y), static_cast<uint16_t>(b.y >> 16), static_cast<uint16_t>(b.z)},
           evict_first},
          map,
          f.tile_offset + turn * c.y};
}
__device__ void prefetch(const unsigned char* record, const Issue& i, uint32_t flags) {
  if (flags & (params::copy_prefetch_first | params::copy_prefetch_alone))
    ptx::tensor_prefetch(ptx::ld_global_v4(record + 64).w, i.map, i.at);
}

/// Of a source that has been read: 2 KiB from the tile's start on, and as much before the window's end.
__device__ void overwrite(uint32_t window, const Fields& f) {
  const uint32_t at = threadIdx.x * vector_bytes, near = (f.tile_offset & ~(vector_bytes - 1)) + at,
                 far = f.window_bytes - sweep_bytes + at;
  if (near < f.window_bytes) invert_vector(window + near);
  if (far < f.window_bytes && far >= near - at + sweep_bytes) invert_vector(window + far);
}

/// As many empty phases from `parity` to 1 complete as are due only when not one byte more than armed was
/// signalled.
__device__ bool is_surplus(uint32_t barrier, uint32_t parity) {
#pragma unroll 1
  for (; parity < 2; ++parity) {
    ptx::mbarrier_arrive(barrier);
    if (!wait_bounded(barrier, parity)) return true;
  }
  return false;
}

/// By the leader.
__device__ void begin_barrier(uint32_t flags, uint32_t barrier) {
  if ((flags & params::copy_far_barrier) == 0) return;
  ptx::mbarrier_init(barrier, 1);
  ptx::fence_mbarrier_init();
}
__device__ void end_barrier(uint32_t flags, uint32_t barrier) {
  if (flags & params::copy_far_barrier) ptx::mbarrier_inval(barrier);
}

__device__ void synchronise_cluster() {
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
}

}  // namespace probe

extern "C" __global__ void __launch_bounds__(probe::probe_threads)
    tensor_load(const __grid_constant__ params::BatchArgs args) {
  using namespace probe;
  __shared__ Shared shared;
  const uint32_t window = window_address();
  const uint32_t own = ptx::shared_address(&shared.barrier);
  const bool leader = threadIdx.x == 0;
  uint32_t* const note = args.notes + args.first_note + blockIdx.x;
  if (leader) {
    ptx::mbarrier_init(own, 1);
    ptx::fence_mbarrier_init();
  }
  for (;;) {
    if (leader) {
      const uint32_t index = take(args);
      shared.next = index;
      if (index != ~0u) note_start(note, index);
    }
    __syncthreads();
    const uint32_t current = shared.next;
    if (current == ~0u) return;
    const unsigned char* record = record_part(args, current);
    const Fields f = read_fields(record);
    fill_window(window, static_cast<const unsigned char*>(args.arena) + f.fill_offset, f.window_bytes);
    ptx::fence_proxy_async_shared_cta();
    int32_t ended = params::probe_done;
    const bool loads = (f.flags & params::copy_prefetch_alone) == 0;
    const Place p = place_of(record, f.flags, window, own);
    const uint32_t barrier = p.barrier;
    if (leader) {
      begin_barrier(f.flags, barrier);
      if (loads) ptx::mbarrier_arrive_expect_tx(barrier, f.expect_tx);
    }
    __syncthreads();
#pragma unroll 1
    for (uint32_t turn = p.turn; p.issues && turn <= p.last; ++turn) {
      const Issue i = prepare(args, current, record, f, turn);
      prefetch(record, i, f.flags);
      if (loads) ptx::tensor_load(i.opcode, window + i.tile, i.map, barrier, i.at);
    }
    if (leader) {
      if (loads && !wait_bounded(barrier, 0)) ended = params::probe_timed_out;
      shared.abandoned = ended != params::probe_done;
    }
    __syncthreads();
    // Nobody may look at what a copy writes before its phase completes.
    if (!shared.abandoned)
      read_window(static_cast<unsigned char*>(args.output) + f.output_offset, window, f.window_bytes);
    if (leader) {
      // After the read back, so that late bytes show.
      if (ended == params::probe_done) {
        if (f.flags & params::copy_settles) settle(barrier, 1);
        if (is_surplus(barrier, loads ? 1 : 0)) ended = params::probe_surplus;
      }
      end_barrier(f.flags, barrier);
      shared.is_last = ended != params::probe_done;
    }
    __syncthreads();
    if (leader) {
      write_end(args, current, ended);
      note_clear(note);
    }
    if (shared.is_last) return;
  }
}

/// Stores and reductions.
extern "C" __global__ void __launch_bounds__(probe::probe_threads)
    tensor_store(const __grid_constant__ params::BatchArgs args) {
  using namespace probe;
  __shared__ Shared shared;
  const uint32_t window = window_address();
  const bool leader = threadIdx.x == 0;
  uint32_t* const note = args.notes + args.first_note + blockIdx.x;
  for (;;) {
    if (leader) {
      const uint32_t index = take(args);
      shared.next = index;
      if (index != ~0u) note_start(note, index);
    }
    __syncthreads();
    const uint32_t current = shared.next;
    if (current == ~0u) return;
    const unsigned char* record = record_part(args, current);
    const unsigned char* arena = static_cast<const unsigned char*>(args.arena);
    const Fields f = read_fields(record);
    const uint4 slot = ptx::ld_global_v4(record + 64);
    copy_global(static_cast<unsigned char*>(args.output) + f.output_offset, arena + wide(slot.x, slot.y),
                slot.z);
    fill_window(window, arena + f.fill_offset, f.window_bytes);
    ptx::fence_proxy_async();  // both the slot and the window were written by ordinary stores
    __syncthreads();
    const Place p = place_of(record, f.flags, window, 0);
#pragma unroll 1
    for (uint32_t turn = p.turn; p.issues && turn <= p.last; ++turn) {
      const Issue i = prepare(args, current, record, f, turn);
      ptx::tensor_store(i.opcode, i.map, window + i.tile, i.at);
      ptx::cp_async_bulk_commit_group();
    }
    if (p.issues) ptx::cp_async_bulk_wait_group_read<0>();
    __syncthreads();
    overwrite(window, f);
    if (p.issues) ptx::cp_async_bulk_wait_group_0();
    __syncthreads();
    if (leader) {
      write_end(args, current, params::probe_done);
      note_clear(note);
    }
  }
}

/// One record a cluster. The note and the queue belong to rank 0.
extern "C" __global__ void __launch_bounds__(probe::probe_threads)
    tensor_load_cluster(const __grid_constant__ params::BatchArgs args) {
  using namespace probe;
  __shared__ Shared shared;
  // By rank, told_end(); every CTA of the cluster tells all others.
  __shared__ uint32_t ended_of[params::largest_cluster];
  const uint32_t window = window_address();
  const uint32_t own = ptx::shared_address(&shared.barrier);
  const uint32_t rank = ptx::cluster_ctarank(), ranks = ptx::cluster_nctarank();
  const bool leader = threadIdx.x == 0;
  uint32_t* const note = args.notes + args.first_note + blockIdx.x / ranks;
  if (leader) {
    ptx::mbarrier_init(own, 1);
    ptx::fence_mbarrier_init();
  }
  synchronise_cluster();  // no CTA may write into another before that one has started
  for (;;) {
    if (leader && rank == 0) {
      const uint32_t index = take(args);
      if (index != ~0u) note_start(note, index);
#pragma unroll 1
      for (uint32_t r = 0; r < ranks; ++r)
        ptx::st_shared_cluster_u32(ptx::mapa_shared_cluster(ptx::shared_address(&shared.next), r), index);
    }
    synchronise_cluster();
    const uint32_t current = shared.next;
    if (current == ~0u) return;
    const unsigned char* record = record_part(args, current);
    const Fields f = read_fields(record);
    const uint4 group = ptx::ld_global_v4(record + 80);
    const uint32_t mask = group.y & 0xffff, issuer = group.y >> 16;
    const uint32_t signals = group.x >> (2 * rank) & 3;  // destinations that signal this CTA
    const bool receives = signals != 0;
    fill_window(window, static_cast<const unsigned char*>(args.arena) + f.fill_offset, f.window_bytes);
    ptx::fence_proxy_async_shared_cta();
    const Place p = place_of(record, f.flags, window, own);
    const uint32_t barrier = p.barrier;
    if (leader) begin_barrier(f.flags, barrier);
    const bool commits = f.flags & params::copy_commits;
    const bool has_bytes_too = commits && f.expect_tx != 0;
    if (leader && receives && !commits) ptx::mbarrier_arrive_expect_tx(barrier, f.expect_tx * signals);
    if (leader && receives && has_bytes_too) ptx::mbarrier_expect_tx(barrier, f.expect_tx);
    synchronise_cluster();  // every window is filled and every barrier armed
    int32_t ended = params::probe_done;
    if (rank == issuer && p.issues && commits) {
      const uint32_t named =
          f.flags & params::copy_unicast ? ptx::mapa_shared_cluster(barrier, __ffs(mask) - 1) : barrier;
      ptx::tcgen05_commit_any(ptx::ld_global_v4(record + 16).w, named, static_cast<uint16_t>(mask));
    } else if (rank == issuer && p.issues) {
#pragma unroll 1
      for (uint32_t turn = p.turn; turn <= p.last; ++turn) {
        const Issue i = prepare(args, current, record, f, turn);
        // A multicast names its own barrier, but for .cta_group::2; a load to one CTA that CTA's.
        uint32_t to = window + i.tile, named = barrier, named_rank = rank;
        if (f.flags & params::copy_unicast) {
          named_rank = __ffs(mask) - 1;
          to = ptx::mapa_shared_cluster(to, named_rank);
        }
        if (f.flags & params::copy_peer_barrier) named_rank ^= 1;
        if (f.flags & (params::copy_unicast | params::copy_cta_group_2))
          named = ptx::mapa_shared_cluster(barrier, named_rank);
        prefetch(record, i, f.flags);
        ptx::tensor_load_cluster(i.opcode, to, i.map, named, i.at, static_cast<uint16_t>(mask));
      }
    }
    if (leader && receives && has_bytes_too) {
      if (settle(barrier, 0)) ended = params::probe_surplus;
      ptx::mbarrier_complete_tx(barrier, f.expect_tx);
    }
    if (leader && receives && !wait_bounded(barrier, 0)) ended = params::probe_timed_out;
    synchronise_cluster();  // also windows that should not receive are read only now
    read_window(static_cast<unsigned char*>(args.output) + f.output_offset + uint64_t{f.window_bytes} * rank,
                window, f.window_bytes);
    if (leader) {
      // A CTA that no destination signals must not be signalled: with nothing armed, an empty phase and a
      // second one complete at once.
      if (ended == params::probe_done) {
        if (receives && (f.flags & params::copy_settles)) settle(barrier, 1);
        if (is_surplus(barrier, receives ? 1 : 0)) ended = params::probe_surplus;
      }
      end_barrier(f.flags, barrier);
#pragma unroll 1
      for (uint32_t r = 0; r < ranks; ++r)
        ptx::st_shared_cluster_u32(ptx::mapa_shared_cluster(ptx::shared_address(&ended_of[rank]), r),
                                   told_end(ended));
    }
    synchronise_cluster();
    const uint32_t worst = worst_end(ended_of, ranks);
    if (leader && rank == 0) {
      write_cluster_end(args, current, ended_of, ranks, worst);
      note_clear(note);
    }
    if (worst != 0) return;
  }
}

}  // namespace assay
