#include <cstddef>

#include "kernels/probe.cuh"

/// Batched probes of cp.async.bulk.tensor in tile mode: one record is one copy.
namespace assay {
namespace {

using namespace probe;
using params::TiledCopyRecord;

/// The fields of a TiledCopyRecord that the device needs, as 16-byte loads bring them.
struct Fields {
  ptx::Coordinates at;
  uint32_t flags, tile_offset, window_bytes, expect_tx;
  uint64_t fill_offset, output_offset;
  uint32_t output_bytes, instruction_rank;
  uint64_t slot_fill_offset;
};
static_assert(offsetof(TiledCopyRecord, coord) == 152 && offsetof(TiledCopyRecord, flags) == 176 &&
              offsetof(TiledCopyRecord, window_bytes) == 184 &&
              offsetof(TiledCopyRecord, fill_offset) == 192 &&
              offsetof(TiledCopyRecord, output_bytes) == 208 &&
              offsetof(TiledCopyRecord, slot_fill_offset) == 216 &&
              offsetof(TiledCopyRecord, cta_mask) == 228);

__device__ const unsigned char* record_address(const BatchArgs& args, uint32_t index) {
  return static_cast<const unsigned char*>(args.records) + sizeof(TiledCopyRecord) * uint64_t{index};
}
__device__ uint64_t wide(uint32_t low, uint32_t high) {
  return uint64_t{high} << 32 | low;
}

/// What all threads need.
__device__ void read_common(Fields& f, const unsigned char* record) {
  const uint4 c = ptx::ld_global_v4(record + 176), d = ptx::ld_global_v4(record + 192);
  f.flags = c.x;
  f.tile_offset = c.y;
  f.window_bytes = c.z;
  f.expect_tx = c.w;
  f.fill_offset = wide(d.x, d.y);
  f.output_offset = wide(d.z, d.w);
}
__device__ void read_slot(Fields& f, const unsigned char* record) {
  const uint4 e = ptx::ld_global_v4(record + 208);
  f.output_bytes = e.x;
  f.instruction_rank = e.y;
  f.slot_fill_offset = wide(e.z, e.w);
}
/// What the issuing thread needs.
__device__ void read_coordinates(Fields& f, const unsigned char* record) {
  const uint4 a = ptx::ld_global_v4(record + 144), b = ptx::ld_global_v4(record + 160);
  f.at = {{static_cast<int32_t>(a.z), static_cast<int32_t>(a.w), static_cast<int32_t>(b.x),
           static_cast<int32_t>(b.y), static_cast<int32_t>(b.z)}};
}

/// L2 evict_first, the constant that CUTLASS passes for sm_90 and sm_100 (cute/arch/copy_sm90_desc.hpp).
constexpr uint64_t evict_first = 0x12F0000000000000ull;

#define ASSAY_BY_RANK(RANK, CALL) \
  if ((RANK) <= 2) {              \
    if ((RANK) == 1)              \
      CALL(1);                    \
    else                          \
      CALL(2);                    \
  } else if ((RANK) <= 4) {       \
    if ((RANK) == 3)              \
      CALL(3);                    \
    else                          \
      CALL(4);                    \
  } else {                        \
    CALL(5);                      \
  }

__device__ void issue_load(const Fields& f, const void* map, uint32_t destination, uint32_t barrier) {
#define ASSAY_CALL(R) ptx::prefetch_##R##d(map, f.at)
  if (f.flags & params::tiled_prefetch_first) {
    ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
  }
#undef ASSAY_CALL
  const bool to_cta = f.flags & params::tiled_destination_cta;
  if (f.flags & params::tiled_cache_hint) {
    if (to_cta) {
#define ASSAY_CALL(R) ptx::load_cta_hint_##R##d(destination, map, f.at, barrier, evict_first)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
    } else {
#define ASSAY_CALL(R) ptx::load_hint_##R##d(destination, map, f.at, barrier, evict_first)
      ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
    }
  } else if (to_cta) {
#define ASSAY_CALL(R) ptx::load_cta_##R##d(destination, map, f.at, barrier)
    ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
  } else {
#define ASSAY_CALL(R) ptx::load_##R##d(destination, map, f.at, barrier)
    ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
  }
}

__device__ void issue_load_multicast(const Fields& f, const void* map, uint32_t destination, uint32_t barrier,
                                     uint16_t mask) {
#define ASSAY_CALL(R) ptx::prefetch_##R##d(map, f.at)
  if (f.flags & params::tiled_prefetch_first) {
    ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
  }
#undef ASSAY_CALL
  if (f.flags & params::tiled_cache_hint) {
#define ASSAY_CALL(R) ptx::load_multicast_hint_##R##d(destination, map, f.at, barrier, mask, evict_first)
    ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
  } else {
#define ASSAY_CALL(R) ptx::load_multicast_##R##d(destination, map, f.at, barrier, mask)
    ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
  }
}

__device__ void issue_store(const Fields& f, const void* map, uint32_t source) {
  if (f.flags & params::tiled_cache_hint) {
#define ASSAY_CALL(R) ptx::store_hint_##R##d(map, f.at, source, evict_first)
    ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
  } else {
#define ASSAY_CALL(R) ptx::store_##R##d(map, f.at, source)
    ASSAY_BY_RANK(f.instruction_rank, ASSAY_CALL)
#undef ASSAY_CALL
  }
}

/// The map of a record, ready for the tensormap proxy: launches reuse the same addresses.
__device__ const void* acquire_map(const BatchArgs& args, uint32_t index, uint32_t flags) {
  unsigned char* map = static_cast<unsigned char*>(const_cast<void*>(args.maps)) + 128 * uint64_t{index};
  if (flags & params::tiled_replace_swizzle_96B) {
    ptx::tensormap_replace_swizzle_mode_96B(map);
    ptx::fence_proxy_tensormap_release_gpu();
  }
  ptx::fence_proxy_tensormap_acquire_gpu(map);
  return map;
}

struct Shared {
  alignas(8) uint64_t barrier;
  uint32_t next;       ///< record index that the CTA is at
  uint32_t abandoned;  ///< the barrier is unusable: this CTA takes no more records
};

}  // namespace

extern "C" __global__ void __launch_bounds__(probe_threads)
    tma_tiled_load(const __grid_constant__ BatchArgs args) {
  __shared__ Shared shared;
  const uint32_t window = window_address();
  const uint32_t barrier = ptx::shared_address(&shared.barrier);
  const bool leader = threadIdx.x == 0;
  uint32_t* const note = args.notes + args.first_note + blockIdx.x;
  if (leader) {
    ptx::mbarrier_init(barrier, 1);
    ptx::fence_mbarrier_init();
  }
  uint32_t index = ~0u;  // leader: the record before
  for (;;) {
    if (leader) {
      shared.next = index = take(args);
      if (index != ~0u) note_start(note, index);
    }
    __syncthreads();
    const uint32_t current = shared.next;
    if (current == ~0u) return;
    const unsigned char* record = record_address(args, current);
    Fields f;
    read_common(f, record);
    fill_window(window, static_cast<const unsigned char*>(args.arena) + f.fill_offset, f.window_bytes);
    ptx::fence_proxy_async_shared_cta();
    __syncthreads();
    int32_t ended = params::probe_done;
    if (leader) {
      read_slot(f, record);
      read_coordinates(f, record);
      const void* map = acquire_map(args, current, f.flags);
      ptx::mbarrier_arrive_expect_tx(barrier, f.expect_tx);
      issue_load(f, map, window + f.tile_offset, barrier);
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
        if (f.flags & params::tiled_settle_before_surplus) settle(barrier, 1);
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

extern "C" __global__ void __launch_bounds__(probe_threads)
    tma_tiled_store(const __grid_constant__ BatchArgs args) {
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
    const unsigned char* record = record_address(args, current);
    const unsigned char* arena = static_cast<const unsigned char*>(args.arena);
    Fields f;
    read_common(f, record);
    read_slot(f, record);
    copy_global(static_cast<unsigned char*>(args.output) + f.output_offset, arena + f.slot_fill_offset,
                f.output_bytes);
    fill_window(window, arena + f.fill_offset, f.window_bytes);
    ptx::fence_proxy_async();  // both the slot and the window were written by ordinary stores
    __syncthreads();
    if (leader) {
      read_coordinates(f, record);
      const void* map = acquire_map(args, current, f.flags);
      issue_store(f, map, window + f.tile_offset);
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_0();
      write_end(args, current, params::probe_done);
      note_clear(note);
    }
    __syncthreads();
  }
}

/// One record a cluster. The note and the queue belong to rank 0.
extern "C" __global__ void __launch_bounds__(probe_threads)
    tma_tiled_load_multicast(const __grid_constant__ BatchArgs args) {
  __shared__ Shared shared;
  __shared__ uint32_t ended_of[8];  // by rank; every CTA of the cluster tells all others
  const uint32_t window = window_address();
  const uint32_t barrier = ptx::shared_address(&shared.barrier);
  const uint32_t rank = ptx::cluster_ctarank(), ranks = ptx::cluster_nctarank();
  const bool leader = threadIdx.x == 0;
  uint32_t* const note = args.notes + args.first_note + blockIdx.x / ranks;
  if (leader) {
    ptx::mbarrier_init(barrier, 1);
    ptx::fence_mbarrier_init();
  }
  // No CTA may write into another before that one has started.
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
  for (;;) {
    if (leader && rank == 0) {
      const uint32_t index = take(args);
      if (index != ~0u) note_start(note, index);
      for (uint32_t r = 0; r < ranks; ++r)
        ptx::st_shared_cluster_u32(ptx::mapa_shared_cluster(ptx::shared_address(&shared.next), r), index);
    }
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
    const uint32_t current = shared.next;
    if (current == ~0u) return;
    const unsigned char* record = record_address(args, current);
    Fields f;
    read_common(f, record);
    const uint4 group = ptx::ld_global_v4(record + 224);
    const uint32_t mask = group.y & 0xffff, issuer = group.y >> 16;
    const bool receives = mask >> rank & 1;
    fill_window(window, static_cast<const unsigned char*>(args.arena) + f.fill_offset, f.window_bytes);
    ptx::fence_proxy_async_shared_cta();
    if (leader && receives) ptx::mbarrier_arrive_expect_tx(barrier, f.expect_tx);
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();  // every window is filled and every barrier armed
    int32_t ended = params::probe_done;
    if (leader) {
      if (rank == issuer) {
        read_slot(f, record);
        read_coordinates(f, record);
        const void* map = acquire_map(args, current, f.flags);
        issue_load_multicast(f, map, window + f.tile_offset, barrier, static_cast<uint16_t>(mask));
      }
      if (receives && !wait_bounded(barrier, 0)) ended = params::probe_timed_out;
    }
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();  // also windows that should not receive are read only now
    read_window(static_cast<unsigned char*>(args.output) + f.output_offset + uint64_t{f.window_bytes} * rank,
                window, f.window_bytes);
    if (leader) {
      if (receives && ended == params::probe_done) {
        ptx::mbarrier_arrive(barrier);
        if (!wait_bounded(barrier, 1)) ended = params::probe_surplus;
      }
      // A CTA that should not receive must not be signalled either: with nothing armed, an empty phase and a
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
                                   static_cast<uint32_t>(ended));
    }
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
    uint32_t worst = 0;
    for (uint32_t r = 0; r < ranks; ++r) {
      const uint32_t of_rank = ended_of[r];
      if (of_rank == params::probe_timed_out || worst == 0) worst = of_rank;
    }
    if (leader && rank == 0) {
      write_end(args, current, static_cast<int32_t>(worst));
      note_clear(note);
    }
    if (worst != 0) return;
  }
}

}  // namespace assay
