// SPDX-License-Identifier: Apache-2.0
#include "kernels/bulk_copy/bulk.cuh"
#include "kernels/params/bulk_copy.h"
#include "kernels/probe.cuh"

/// Batched probes of cp.async.bulk and cp.reduce.async.bulk: one record is one instruction, or one in pieces,
/// of each CTA of the cluster that is to issue it.
namespace assay {
namespace probe {

using params::BulkCopyRecord;
using params::BulkOp;

/// L2 evict_first, the constant that CUTLASS passes for sm_90 and sm_100 (cute/arch/copy_sm90_desc.hpp).
constexpr uint64_t evict_first = 0x12F0000000000000ull;

/// The two barriers of a CTA.
constexpr uint32_t barrier_count = 2;

struct Shared {
  alignas(8) uint64_t barriers[barrier_count];
  uint32_t next;  ///< record index that the cluster is at
  uint32_t
      ended_of[params::largest_cluster];  ///< by rank, told_end(); every CTA of the cluster tells all others
};

__device__ void cluster_sync() {
  ptx::barrier_cluster_arrive();
  ptx::barrier_cluster_wait();
}

__device__ void fill_from_pool(const BulkCopyRecord& r, unsigned char* slot, uint32_t window, uint32_t rank) {
  const bool is_known = r.flags & params::bulk_known;
  const bool is_target = r.op == BulkOp::reduce_cluster && rank == r.target_rank;
#pragma unroll 1
  for (uint32_t at = threadIdx.x * vector_bytes; at < r.window_bytes; at += sweep_bytes) {
    const uint32_t unit = at / 8;
    const uint64_t a =
        r.pool[is_known ? params::bulk_pool_known(is_target) : params::bulk_pool_of_window(unit, rank)];
    const uint64_t b =
        r.pool[is_known ? params::bulk_pool_known(is_target) : params::bulk_pool_of_window(unit + 1, rank)];
    ptx::st_shared_v4(window + at, make_uint4(static_cast<uint32_t>(a), static_cast<uint32_t>(a >> 32),
                                              static_cast<uint32_t>(b), static_cast<uint32_t>(b >> 32)));
  }
  if (rank != 0) return;
#pragma unroll 1
  for (uint32_t at = threadIdx.x * vector_bytes; at < r.slot_bytes; at += sweep_bytes) {
    const uint32_t unit = at / 8;
    const uint64_t a = r.pool[is_known ? params::bulk_pool_known(true) : params::bulk_pool_of_slot(unit)];
    const uint64_t b = r.pool[is_known ? params::bulk_pool_known(true) : params::bulk_pool_of_slot(unit + 1)];
    ptx::st_global_v4(slot + at, make_uint4(static_cast<uint32_t>(a), static_cast<uint32_t>(a >> 32),
                                            static_cast<uint32_t>(b), static_cast<uint32_t>(b >> 32)));
  }
}

__device__ void fill(const BatchArgs& args, const BulkCopyRecord& r, unsigned char* slot, uint32_t window,
                     uint32_t rank) {
  if (r.flags & params::bulk_pool) return fill_from_pool(r, slot, window, rank);
  const unsigned char* arena = static_cast<const unsigned char*>(args.arena);
  fill_window(window, arena + r.fill_offset + uint64_t{rank} * r.window_bytes, r.window_bytes);
  if (rank == 0) copy_global(slot, arena + r.slot_fill_offset, r.slot_bytes);
}

/// The source of a store becomes what a finished one has written, which should change nothing.
__device__ void read_back(uint64_t global, uint32_t source, uint32_t bytes) {
#pragma unroll 1
  for (uint32_t at = 0; at < bytes; at += vector_bytes)
    ptx::st_shared_v4(source + at, ptx::ld_global_v4(reinterpret_cast<const void*>(global + at)));
}

/// What a lane does of it.
__device__ void issue(const BatchArgs& args, const BulkCopyRecord& r, unsigned char* slot, uint32_t window,
                      uint32_t barriers, uint32_t lane) {
  const bool reads = r.op < BulkOp::store || r.op == BulkOp::prefetch;  // global memory
  const bool at_peer = r.op == BulkOp::load_cluster || r.op == BulkOp::peer || r.op == BulkOp::reduce_cluster;
  uint64_t global = reads ? reinterpret_cast<uint64_t>(args.arena) : reinterpret_cast<uint64_t>(slot);
  if (r.flags & params::bulk_unmapped) global = params::bulk_unmapped_address;
  global += reads ? r.source_offset : r.target_offset;
  const uint32_t source = window + static_cast<uint32_t>(r.source_offset);
  uint32_t target = window + static_cast<uint32_t>(r.target_offset);
  uint32_t barrier = barriers + 8 * r.barrier + r.barrier_shift;
  if (at_peer) {
    target = ptx::mapa_shared_cluster(target, r.target_rank);
    barrier = ptx::mapa_shared_cluster(
        barrier, r.flags & params::bulk_names_own_barrier ? ptx::cluster_ctarank() : r.target_rank);
  }
  const uint32_t pieces = r.pieces, each = pieces == 1 ? r.size : r.size / pieces / 16 * 16;
  uint32_t groups = r.ends_empty;
#pragma unroll 1
  for (uint32_t i = lane; i < pieces; i += r.lanes) {
    const uint32_t from = i * each, size = i + 1 < pieces ? each : r.size - from;
    ptx::bulk_copy(r.opcode, global + from, target + from, source + from, size, barrier,
                   r.op == BulkOp::store ? r.byte_mask : r.cta_mask, evict_first);
    if (r.early_waits >> i & 1) ptx::cp_async_bulk_wait_group(r.pending, r.waits_for_reads);
    if ((r.group_ends >> i & 1) == 0) continue;
    ptx::cp_async_bulk_commit_group();
    ++groups;
  }
  if (r.ends_empty) ptx::cp_async_bulk_commit_group();
  ptx::cp_async_bulk_wait_group(r.pending, r.waits_for_reads);
  const bool reads_back = r.op == BulkOp::store && r.flags == (r.flags & params::bulk_cache_hint) &&
                          !r.waits_for_reads && r.size <= params::most_bulk_read_back && r.size % 16 == 0;
  if (pieces == 1) {
    if (reads_back && r.pending == 0) read_back(global, source, r.size);
    return ptx::cp_async_bulk_wait_group_0();
  }
  const bool frees_source = r.op == BulkOp::store || r.op == BulkOp::reduce_global;
#pragma unroll 1
  for (uint32_t time = 0; time < 2; ++time) {
    uint32_t group = 0;
#pragma unroll 1
    for (uint32_t i = lane; i < pieces && frees_source; i += r.lanes) {
      const uint32_t from = i * each, size = i + 1 < pieces ? each : r.size - from;
      if (group + r.pending < groups) {
        if (reads_back && time == 0) read_back(global + from, source + from, size);
        invert(source + from, size);
      }
      group += r.group_ends >> i & 1;
    }
    ptx::cp_async_bulk_wait_group_0();
  }
}

/// Every barrier was told what it was armed with and not one byte more: an empty phase completes.
__device__ int32_t look_for_surplus(const BulkCopyRecord& r, uint32_t barriers, bool receives) {
#pragma unroll 1
  for (uint32_t i = 0; i < barrier_count; ++i) {
    const uint32_t barrier = barriers + 8 * i;
    uint32_t parity = receives && i == r.barrier ? 1 : 0;
    if (parity != 0 && (r.flags & params::bulk_settles)) settle(barrier, parity);
#pragma unroll 1
    for (; parity < 2; ++parity) {
      ptx::mbarrier_arrive(barrier);
      if (!wait_bounded(barrier, parity)) return params::probe_surplus;
    }
  }
  return params::probe_done;
}

}  // namespace probe

/// One record a cluster. The note, the queue and the slot belong to rank 0.
extern "C" __global__ void __launch_bounds__(probe::probe_threads)
    bulk_copy(const __grid_constant__ params::BatchArgs args) {
  using namespace probe;
  __shared__ Shared shared;
  const uint32_t window = window_address();
  const uint32_t barriers = ptx::shared_address(shared.barriers);
  const uint32_t rank = ptx::cluster_ctarank(), ranks = ptx::cluster_nctarank();
  const bool leader = threadIdx.x == 0;
  uint32_t* const note = args.notes + args.first_note + blockIdx.x / ranks;
  if (leader) {
    for (uint32_t i = 0; i < barrier_count; ++i) ptx::mbarrier_init(barriers + 8 * i, 1);
    ptx::fence_mbarrier_init();
  }
  cluster_sync();  // no CTA may write into another before that one has started
  for (;;) {
    if (leader && rank == 0) {
      const uint32_t index = take(args);
      if (index != ~0u) note_start(note, index);
#pragma unroll 1
      for (uint32_t r = 0; r < ranks; ++r)
        ptx::st_shared_cluster_u32(ptx::mapa_shared_cluster(ptx::shared_address(&shared.next), r), index);
    }
    cluster_sync();
    const uint32_t current = shared.next;
    if (current == ~0u) return;
    const BulkCopyRecord& r = static_cast<const BulkCopyRecord*>(args.records)[current];
    unsigned char* const slot = static_cast<unsigned char*>(args.output) + r.output_offset;
    const bool receives = r.receivers >> rank & 1;
    fill(args, r, slot, window, rank);
    ptx::fence_proxy_async();
    if (leader && receives) ptx::mbarrier_arrive_expect_tx(barriers + 8 * r.barrier, r.expect_tx);
    cluster_sync();  // every window is filled and every barrier armed
    int32_t ended = params::probe_done;
    const uint32_t lane = threadIdx.x - r.issuer_thread;
    if (lane < r.lanes && r.issuers >> rank & 1) issue(args, r, slot, window, barriers, lane);
    if (leader) {
      if (receives && !wait_bounded(barriers + 8 * r.barrier, 0)) ended = params::probe_timed_out;
    }
    cluster_sync();  // also windows that nobody should write are read only now
    read_window(slot + r.slot_bytes + uint64_t{r.window_bytes} * rank, window, r.window_bytes);
    if (leader) {
      if (ended == params::probe_done) ended = look_for_surplus(r, barriers, receives);
#pragma unroll 1
      for (uint32_t to = 0; to < ranks; ++to)
        ptx::st_shared_cluster_u32(ptx::mapa_shared_cluster(ptx::shared_address(&shared.ended_of[rank]), to),
                                   told_end(ended));
    }
    cluster_sync();
    const uint32_t worst = worst_end(shared.ended_of, ranks);
    if (leader && rank == 0) {
      write_cluster_end(args, current, shared.ended_of, ranks, worst);
      note_clear(note);
    }
    if (worst != 0) return;
  }
}

}  // namespace assay
