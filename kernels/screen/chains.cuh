// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/screen/screen.cuh"

/// Chains of matrix products on every multiprocessor at once, whose results are compared where they are: a
/// record gives all CTAs the same work. The products are the forms of kernels/forms/screen_chain.cc.
namespace assay::screen {

using params::ScreenOutput;
using params::ScreenPlant;
using params::ScreenRecord;
using params::ScreenUnit;

/// Of a warpgroup: its barrier, and behind it where tensor memory is told.
struct Tensor {
  uint64_t barrier;
  uint32_t columns, reserved;
};

struct ChainsShared {
  uint64_t golden[params::screen_tiles][probe_threads];
  alignas(8) Tensor tensor[params::screen_warpgroups];
  Found found;
};

/// K-major, swizzle of 128 bytes, 8 rows every 1024 bytes; bit 46 is the version that tcgen05 wants.
__device__ inline uint64_t descriptor(uint32_t address, bool is_tensor) {
  return (address >> 4 & 0x3fff) | uint64_t{1} << 16 | uint64_t{1024 / 16} << 32 | uint64_t{1} << 62 |
         (is_tensor ? uint64_t{1} << 46 : 0);
}

/// Fills shared memory, by all threads. `alters`: with the planted operand.
__device__ __forceinline__ void prepare_chains(const ScreenRecord& r, bool plants, ChainsShared& shared) {
  const uint32_t window = window_address();
  const bool alters = plants && r.plant == ScreenPlant::operand;
  const uint32_t thread = threadIdx.x % probe_threads;
  constexpr uint32_t second = params::screen_split + params::screen_b_block_bytes;
  // The first warpgroup fills A and the first block of B, the second one the other.
  const bool is_first = threadIdx.x < probe_threads;
  uint32_t at = is_first                                                  ? 0
                : threadIdx.x < params::screen_warpgroups * probe_threads ? second
                                                                          : params::screen_window_bytes;
#pragma unroll 1
  while (at < (is_first ? second : params::screen_window_bytes)) {
    const uint32_t end = at == 0 ? params::screen_split : is_first ? second : params::screen_window_bytes;
    fill_operands(window, at, end, at == 0 ? r.a_fill : r.b_fill, thread);
    at = end;
  }
#pragma unroll 1
  for (uint32_t i = threadIdx.x; i < params::screen_tiles * probe_threads; i += blockDim.x)
    shared.golden[i / probe_threads][i % probe_threads] = r.golden[i / probe_threads][i % probe_threads];
  __syncthreads();
  if (alters && threadIdx.x == 0)
    alter_vector(window + r.plant_word / 4 * vector_bytes, r.plant_word % 4, r.plant_mask);
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
}

/// Of the CTA, before its first record.
__device__ __forceinline__ void begin_chains(ChainsShared& shared) {
  if (threadIdx.x >= params::screen_warpgroups * probe_threads || threadIdx.x % probe_threads != 0) return;
  ptx::mbarrier_init(ptx::shared_address(&shared.tensor[threadIdx.x / probe_threads]), 1);
  ptx::fence_mbarrier_init();
}

/// Shared memory alone, as prepare_chains() filled it.
__device__ __forceinline__ void compare_operands(const ScreenRecord& r, ScreenOutput& output,
                                                 ChainsShared& shared) {
  const uint32_t window = window_address(), thread = threadIdx.x % probe_threads;
  const uint32_t group = threadIdx.x / probe_threads;
  params::ScreenMismatch& to = output.first[blockIdx.x];
#pragma unroll 1
  for (uint32_t round = 0; round < r.rounds; ++round) {
    uint64_t even = params::screen_hash_start, odd = even;
    const auto vector = [&](uint32_t i) {
      return ptx::ld_shared_v4(window +
                               (i * params::screen_warpgroups * probe_threads + threadIdx.x) * vector_bytes);
    };
#pragma unroll 2
    for (uint32_t i = 0; i < params::screen_vectors; ++i) {
      const uint4 v = vector(i);
      even = params::screen_hash(even, v.x, v.y), odd = params::screen_hash(odd, v.z, v.w);
    }
    const uint64_t hash =
        params::screen_hash(even, static_cast<uint32_t>(odd), static_cast<uint32_t>(odd >> 32));
    if (hash == shared.golden[group][thread] || atomicAdd(&shared.found.mismatches, 1u) != 0) continue;
    to.warpgroup = group, to.thread = thread, to.round = round, to.tile = group;
    // As it is read once more.
#pragma unroll 1
    for (uint32_t i = 0; i < params::screen_vectors; ++i) ptx::st_global_v4(&to.d[4 * i], vector(i));
  }
}

/// By two warpgroups, when all is prepared.
__device__ __forceinline__ void compare_chains(const ScreenRecord& r, bool plants, ScreenOutput& output,
                                               ChainsShared& shared, uint32_t& parity) {
  const uint32_t window = window_address(), thread = threadIdx.x % probe_threads, lane = thread % 32;
  // The same for all lanes, which ptxas sees: else it waits behind each product.
  const uint32_t group = __shfl_sync(~0u, threadIdx.x / probe_threads, 0), rounds = r.rounds,
                 blocks = r.blocks;
  if (r.turns.part == params::ScreenPart::shared) return compare_operands(r, output, shared);
  const bool is_tensor = params::screen_unit(r.kind) == ScreenUnit::tcgen05;
  const uint64_t a = descriptor(window, is_tensor),
                 b = descriptor(
                     window + (is_tensor ? params::screen_a_blocks * params::screen_tensor_block_bytes
                                         : params::screen_split),
                     is_tensor);
  // What a lane of ldmatrix has of a line, as the swizzle places it.
  const uint32_t row_a = window + (thread / 32 * 16 + lane % 16) * 128 + ((lane / 16 ^ lane % 8) << 4),
                 row_b = window + params::screen_split + (lane / 16 * 8 + lane % 8) * 128 +
                         ((lane / 8 % 2 ^ lane % 8) << 4);
  // The chain that is altered in this warpgroup; none: ~0.
  const bool alters = plants && r.plant != ScreenPlant::operand && r.plant_warpgroup == group;
  const uint32_t altered = alters ? r.plant_round % rounds : ~0u;
  const uint32_t mask = r.plant_thread == thread ? r.plant_mask : 0;
  params::ScreenMismatch& to = plants ? output.of_planted : output.first[blockIdx.x];
  uint32_t tile = group * 3;
#pragma unroll 1
  for (uint32_t round = 0; round < rounds; ++round) {
    wait_for_pulse(r.turns);
    const bool is_altered = round == altered, is_middle = is_altered && r.plant == ScreenPlant::middle;
    const uint32_t steps = is_middle ? r.plant_step : blocks;
    uint32_t first = 0;
    asm volatile(
        "trap; // assay.forms screen.chain, %2, %0, %1, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, "
        "%15, %16, %17, %18, %19;"
        : "=r"(first), "+r"(parity)
        : "r"(r.kind), "l"(a), "l"(b), "r"(row_a), "r"(row_b), "r"(r.metadata[thread]), "r"(r.instr_desc),
          "r"(ptx::shared_address(&shared.tensor[group])), "r"(tile), "r"(r.c), "r"(steps),
          "r"(blocks - steps), "r"(is_altered && !is_middle ? 1 : 0), "r"(r.plant_register), "r"(mask),
          "l"(shared.golden[tile][thread]), "r"(ptx::shared_address(&shared.found.mismatches)), "l"(to.d)
        : "memory");
    if (first != 0) {
      to.warpgroup = group, to.thread = thread;
      to.round = round, to.tile = tile;
    }
    tile = tile == params::screen_tiles - 1 ? 0 : tile + 1;
  }
}

}  // namespace assay::screen
