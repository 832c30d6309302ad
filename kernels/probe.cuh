// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/params/arena.h"
#include "kernels/params/batch.h"
#include "kernels/ptx.cuh"

/// What every batched probe shares: taking records, filling and reading back shared windows, bounded waits.
namespace assay::probe {

using params::BatchArgs;
using params::probe_threads;

inline constexpr uint32_t vector_bytes = 16;
inline constexpr uint32_t sweep_bytes = vector_bytes * probe_threads;

/// First address of the dynamic shared memory that is a multiple of params::window_alignment.
__device__ inline uint32_t window_address() {
  extern __shared__ __align__(1024) unsigned char dynamic_shared[];
  return (ptx::shared_address(dynamic_shared) + params::window_alignment - 1) &
         ~(params::window_alignment - 1);
}

/// window[0, bytes) = source[0, bytes), by all threads of the CTA; bytes is a multiple of 16.
__device__ inline void fill_window(uint32_t window, const unsigned char* source, uint32_t bytes) {
  uint32_t at = threadIdx.x * vector_bytes;
  const unsigned char* from = source + at;
  for (; at + 3 * sweep_bytes < bytes; at += 4 * sweep_bytes, from += 4 * sweep_bytes) {
    const uint4 a = ptx::ld_global_v4(from);
    const uint4 b = ptx::ld_global_v4(from + sweep_bytes);
    const uint4 c = ptx::ld_global_v4(from + 2 * sweep_bytes);
    const uint4 d = ptx::ld_global_v4(from + 3 * sweep_bytes);
    ptx::st_shared_v4(window + at, a);
    ptx::st_shared_v4(window + at + sweep_bytes, b);
    ptx::st_shared_v4(window + at + 2 * sweep_bytes, c);
    ptx::st_shared_v4(window + at + 3 * sweep_bytes, d);
  }
#pragma unroll 1
  for (; at < bytes; at += sweep_bytes, from += sweep_bytes)
    ptx::st_shared_v4(window + at, ptx::ld_global_v4(from));
}

/// Inverts the bits of shared memory that begins on a multiple of 16, 16 bytes or several times as many.
__device__ inline void invert_vector(uint32_t at) {
  const uint4 v = ptx::ld_shared_v4(at);
  ptx::st_shared_v4(at, make_uint4(~v.x, ~v.y, ~v.z, ~v.w));
}
__device__ inline void invert(uint32_t from, uint32_t bytes) {
#pragma unroll 1
  for (uint32_t at = from; at < from + bytes; at += vector_bytes) invert_vector(at);
}

/// target[0, bytes) = window[0, bytes).
__device__ inline void read_window(unsigned char* target, uint32_t window, uint32_t bytes) {
  uint32_t at = threadIdx.x * vector_bytes;
  unsigned char* to = target + at;
  for (; at + 3 * sweep_bytes < bytes; at += 4 * sweep_bytes, to += 4 * sweep_bytes) {
    const uint4 a = ptx::ld_shared_v4(window + at);
    const uint4 b = ptx::ld_shared_v4(window + at + sweep_bytes);
    const uint4 c = ptx::ld_shared_v4(window + at + 2 * sweep_bytes);
    const uint4 d = ptx::ld_shared_v4(window + at + 3 * sweep_bytes);
    ptx::st_global_v4(to, a);
    ptx::st_global_v4(to + sweep_bytes, b);
    ptx::st_global_v4(to + 2 * sweep_bytes, c);
    ptx::st_global_v4(to + 3 * sweep_bytes, d);
  }
#pragma unroll 1
  for (; at < bytes; at += sweep_bytes, to += sweep_bytes)
    ptx::st_global_v4(to, ptx::ld_shared_v4(window + at));
}

/// target[0, bytes) = source[0, bytes) in global memory.
__device__ inline void copy_global(unsigned char* target, const unsigned char* source, uint32_t bytes) {
  uint32_t at = threadIdx.x * vector_bytes;
  for (; at + 3 * sweep_bytes < bytes; at += 4 * sweep_bytes) {
    const uint4 a = ptx::ld_global_v4(source + at);
    const uint4 b = ptx::ld_global_v4(source + at + sweep_bytes);
    const uint4 c = ptx::ld_global_v4(source + at + 2 * sweep_bytes);
    const uint4 d = ptx::ld_global_v4(source + at + 3 * sweep_bytes);
    ptx::st_global_v4(target + at, a);
    ptx::st_global_v4(target + at + sweep_bytes, b);
    ptx::st_global_v4(target + at + 2 * sweep_bytes, c);
    ptx::st_global_v4(target + at + 3 * sweep_bytes, d);
  }
#pragma unroll 1
  for (; at < bytes; at += sweep_bytes) ptx::st_global_v4(target + at, ptx::ld_global_v4(source + at));
}

/// Waits for the phase, at least 64 tries and 2 ms, at most 16384 tries (where the clock does not move).
/// False: the phase never completed.
__device__ inline bool wait_bounded(uint32_t barrier, uint32_t parity) {
  if (ptx::mbarrier_try_wait_parity(barrier, parity)) return true;
  const uint64_t start = ptx::globaltimer();
#pragma unroll 1
  for (uint32_t tries = 1; tries < 16384; ++tries) {
    if (ptx::mbarrier_try_wait_parity(barrier, parity)) return true;
    if (tries >= 64 && ptx::globaltimer() - start > 2'000'000) return false;
  }
  return false;
}

/// Lets 50 us pass (64 tries at least, where the clock does not move) in tries of a phase that cannot
/// complete, since not all have arrived: what is still on its way to the barrier gets there. True: it
/// completed all the same.
__device__ inline bool settle(uint32_t barrier, uint32_t parity) {
  const uint64_t start = ptx::globaltimer();
#pragma unroll 1
  for (uint32_t tries = 0; tries < 16384; ++tries) {
    if (ptx::mbarrier_try_wait_parity(barrier, parity)) return true;
    if (tries >= 64 && ptx::globaltimer() - start > 50'000) return false;
  }
  return false;
}

/// The note names the record before anything of it is tried: it is out of the GPU when this returns.
__device__ inline void note_start(uint32_t* note, uint32_t index) {
  ptx::st_volatile_global_u32(note, index + 1);
  __threadfence_system();
}
__device__ inline void note_clear(uint32_t* note) {
  ptx::st_volatile_global_u32(note, 0);
}

/// Position of the queue -> record index, or ~0 when nothing is left.
__device__ inline uint32_t take(const BatchArgs& args) {
  const uint32_t position = atomicAdd(args.queue, 1);
  return position < args.count ? args.indexes[position] : ~0u;
}

__device__ inline void write_end(const BatchArgs& args, uint32_t index, int32_t ended) {
  ptx::st_global_v4(&args.ends[index], make_uint4(static_cast<uint32_t>(ended), 0, ptx::smid(), 0));
}

/// What a CTA of a cluster tells the others of itself: how it ended, and where it runs.
__device__ inline uint32_t told_end(int32_t ended) {
  return static_cast<uint32_t>(ended) | ptx::smid() << 8;
}
/// Of what all ranks told: a phase that never completed before any other end that is not done.
__device__ inline uint32_t worst_end(const uint32_t (&told)[params::largest_cluster], uint32_t ranks) {
  uint32_t worst = 0;
#pragma unroll 1
  for (uint32_t r = 0; r < ranks; ++r) {
    const uint32_t of_rank = told[r] & 0xff;
    if (of_rank == params::probe_timed_out || worst == 0) worst = of_rank;
  }
  return worst;
}
/// By the leader of rank 0. What no rank tells is left as the host filled it.
__device__ inline void write_cluster_end(const BatchArgs& args, uint32_t index,
                                         const uint32_t (&told)[params::largest_cluster], uint32_t ranks,
                                         uint32_t worst) {
  write_end(args, index, static_cast<int32_t>(worst));
#pragma unroll 1
  for (uint32_t r = 0; r < ranks; ++r)
    if (const uint32_t sm = told[r] >> 8; sm <= 0xff)
      args.ends[index].cluster_sms[r] = static_cast<uint8_t>(sm);
}

}  // namespace assay::probe
