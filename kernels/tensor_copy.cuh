#pragma once

#include "kernels/probe.cuh"

/// Probes of tensor copies, whatever their mode: what is around the one instruction. A mode is a type Copy:
///   Record              its records; from Copy::common on they hold flags, tile_offset, window_bytes,
///   expect_tx,
///                       fill_offset, output_offset, output_bytes, instruction_rank, slot_fill_offset,
///                       cluster_size, cta_mask, issuer_rank, a word, signals
///   settles(flags)      late bytes are waited for before a surplus is looked for
///   issue_load(record, f, map, destination, barrier), issue_multicast(..., mask), issue_store(record, f,
///   map,
///                       source)
namespace assay::probe {

/// Those fields, as 16-byte loads bring them.
struct CopyFields {
  uint32_t flags, tile_offset, window_bytes, expect_tx;
  uint64_t fill_offset, output_offset;
  uint32_t output_bytes, instruction_rank;
  uint64_t slot_fill_offset;
};

struct CopyShared {
  alignas(8) uint64_t barrier;
  uint32_t next;       ///< record index that the CTA is at
  uint32_t abandoned;  ///< the barrier is unusable: this CTA takes no more records
};

__device__ inline uint64_t wide_word(uint32_t low, uint32_t high) {
  return uint64_t{high} << 32 | low;
}

template <typename Copy>
__device__ const unsigned char* copy_record(const BatchArgs& args, uint32_t index) {
  return static_cast<const unsigned char*>(args.records) + sizeof(typename Copy::Record) * uint64_t{index};
}

/// What all threads need.
template <typename Copy>
__device__ void read_common(CopyFields& f, const unsigned char* record) {
  const uint4 c = ptx::ld_global_v4(record + Copy::common), d = ptx::ld_global_v4(record + Copy::common + 16);
  f.flags = c.x;
  f.tile_offset = c.y;
  f.window_bytes = c.z;
  f.expect_tx = c.w;
  f.fill_offset = wide_word(d.x, d.y);
  f.output_offset = wide_word(d.z, d.w);
}
template <typename Copy>
__device__ void read_slot(CopyFields& f, const unsigned char* record) {
  const uint4 e = ptx::ld_global_v4(record + Copy::common + 32);
  f.output_bytes = e.x;
  f.instruction_rank = e.y;
  f.slot_fill_offset = wide_word(e.z, e.w);
}

/// The map of a record, ready for the tensormap proxy: launches reuse the same addresses.
__device__ inline const void* acquired_map(const BatchArgs& args, uint32_t index) {
  const auto* map = static_cast<const unsigned char*>(args.maps) + 128 * uint64_t{index};
  ptx::fence_proxy_tensormap_acquire_gpu(map);
  return map;
}

template <typename Copy>
__device__ void load_records(const BatchArgs& args, CopyShared& shared) {
  const uint32_t window = window_address();
  const uint32_t barrier = ptx::shared_address(&shared.barrier);
  const bool leader = threadIdx.x == 0;
  uint32_t* const note = args.notes + args.first_note + blockIdx.x;
  if (leader) {
    ptx::mbarrier_init(barrier, 1);
    ptx::fence_mbarrier_init();
  }
  uint32_t index = ~0u;
  for (;;) {
    if (leader) {
      shared.next = index = take(args);
      if (index != ~0u) note_start(note, index);
    }
    __syncthreads();
    const uint32_t current = shared.next;
    if (current == ~0u) return;
    const unsigned char* record = copy_record<Copy>(args, current);
    CopyFields f;
    read_common<Copy>(f, record);
    fill_window(window, static_cast<const unsigned char*>(args.arena) + f.fill_offset, f.window_bytes);
    ptx::fence_proxy_async_shared_cta();
    __syncthreads();
    int32_t ended = params::probe_done;
    if (leader) {
      read_slot<Copy>(f, record);
      const void* map = acquired_map(args, current);
      ptx::mbarrier_arrive_expect_tx(barrier, f.expect_tx);
      Copy::issue_load(record, f, map, window + f.tile_offset, barrier);
      if (!wait_bounded(barrier, 0)) ended = params::probe_timed_out;
      shared.abandoned = ended != params::probe_done;
    }
    __syncthreads();
    // Nobody may look at what a copy writes before its phase completes.
    if (!shared.abandoned)
      read_window(static_cast<unsigned char*>(args.output) + f.output_offset, window, f.window_bytes);
    if (leader) {
      // An empty phase completes only when not one byte more than armed was signalled. It comes after the
      // read back, so that late bytes show.
      if (ended == params::probe_done) {
        if (Copy::settles(f.flags)) settle(barrier, 1);
        ptx::mbarrier_arrive(barrier);
        if (!wait_bounded(barrier, 1)) ended = params::probe_surplus;
      }
      shared.abandoned = ended != params::probe_done;
    }
    __syncthreads();
    if (leader) {
      write_end(args, current, ended);
      note_clear(note);
    }
    if (shared.abandoned) return;
  }
}

template <typename Copy>
__device__ void store_records(const BatchArgs& args, CopyShared& shared) {
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
    const unsigned char* record = copy_record<Copy>(args, current);
    const unsigned char* arena = static_cast<const unsigned char*>(args.arena);
    CopyFields f;
    read_common<Copy>(f, record);
    read_slot<Copy>(f, record);
    copy_global(static_cast<unsigned char*>(args.output) + f.output_offset, arena + f.slot_fill_offset,
                f.output_bytes);
    fill_window(window, arena + f.fill_offset, f.window_bytes);
    ptx::fence_proxy_async();  // both the slot and the window were written by ordinary stores
    __syncthreads();
    if (leader) {
      const void* map = acquired_map(args, current);
      Copy::issue_store(record, f, map, window + f.tile_offset);
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_0();
      write_end(args, current, params::probe_done);
      note_clear(note);
    }
    __syncthreads();
  }
}

/// One record a cluster. The note and the queue belong to rank 0. `ended_of`: by rank; every CTA of the
/// cluster tells all others.
template <typename Copy>
__device__ void load_records_multicast(const BatchArgs& args, CopyShared& shared,
                                       uint32_t (&ended_of)[most_ranks]) {
  const uint32_t window = window_address();
  const uint32_t barrier = ptx::shared_address(&shared.barrier);
  const uint32_t rank = ptx::cluster_ctarank(), ranks = ptx::cluster_nctarank();
  const bool leader = threadIdx.x == 0;
  uint32_t* const note = args.notes + args.first_note + blockIdx.x / ranks;
  const auto synchronise = [] {
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
  };
  if (leader) {
    ptx::mbarrier_init(barrier, 1);
    ptx::fence_mbarrier_init();
  }
  synchronise();  // no CTA may write into another before that one has started
  for (;;) {
    if (leader && rank == 0) {
      const uint32_t index = take(args);
      if (index != ~0u) note_start(note, index);
      for (uint32_t r = 0; r < ranks; ++r)
        ptx::st_shared_cluster_u32(ptx::mapa_shared_cluster(ptx::shared_address(&shared.next), r), index);
    }
    synchronise();
    const uint32_t current = shared.next;
    if (current == ~0u) return;
    const unsigned char* record = copy_record<Copy>(args, current);
    CopyFields f;
    read_common<Copy>(f, record);
    const uint4 group = ptx::ld_global_v4(record + Copy::common + 48);
    const uint32_t mask = group.y & 0xffff, issuer = group.y >> 16;
    const uint32_t signals = group.w >> (2 * rank) & 3;  // destinations that signal this CTA
    const bool receives = signals != 0;
    fill_window(window, static_cast<const unsigned char*>(args.arena) + f.fill_offset, f.window_bytes);
    ptx::fence_proxy_async_shared_cta();
    if (leader && receives) ptx::mbarrier_arrive_expect_tx(barrier, f.expect_tx * signals);
    synchronise();  // every window is filled and every barrier armed
    int32_t ended = params::probe_done;
    if (leader) {
      if (rank == issuer) {
        read_slot<Copy>(f, record);
        const void* map = acquired_map(args, current);
        Copy::issue_multicast(record, f, map, window + f.tile_offset, barrier, static_cast<uint16_t>(mask));
      }
      if (receives && !wait_bounded(barrier, 0)) ended = params::probe_timed_out;
    }
    synchronise();  // also windows that should not receive are read only now
    read_window(static_cast<unsigned char*>(args.output) + f.output_offset + uint64_t{f.window_bytes} * rank,
                window, f.window_bytes);
    if (leader) {
      if (receives && ended == params::probe_done) {
        ptx::mbarrier_arrive(barrier);
        if (!wait_bounded(barrier, 1)) ended = params::probe_surplus;
      }
      // A CTA that no destination signals must not be signalled: with nothing armed, an empty phase and a
      // second one complete at once.
      if (!receives) {
        ptx::mbarrier_arrive(barrier);
        if (!wait_bounded(barrier, 0)) ended = params::probe_surplus;
        if (ended == params::probe_done) {
          ptx::mbarrier_arrive(barrier);
          if (!wait_bounded(barrier, 1)) ended = params::probe_surplus;
        }
      }
      for (uint32_t r = 0; r < ranks; ++r)
        ptx::st_shared_cluster_u32(ptx::mapa_shared_cluster(ptx::shared_address(&ended_of[rank]), r),
                                   told_end(ended));
    }
    synchronise();
    const uint32_t worst = worst_end(ended_of, ranks);
    if (leader && rank == 0) {
      write_cluster_end(args, current, ended_of, ranks, worst);
      note_clear(note);
    }
    if (worst != 0) return;
  }
}

}  // namespace assay::probe
