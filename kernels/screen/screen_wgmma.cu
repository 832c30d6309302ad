// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "kernels/operands.cuh"
#include "kernels/params/screen.h"
#include "kernels/ptx_wgmma.cuh"

/// Chains of wgmma.mma_async m64n256 on every multiprocessor at once, whose results are compared where they
/// are: a record gives all CTAs the same work.
namespace assay {
namespace {

using namespace probe;
using params::ScreenOutput;
using params::ScreenPlant;
using params::ScreenRecord;
using Registers = uint32_t[params::screen_d_registers];

/// K-major, swizzle of 128 bytes, 8 rows every 1024 bytes.
__device__ inline uint64_t descriptor(uint32_t address) {
  return (address >> 4 & 0x3fff) | uint64_t{1} << 16 | uint64_t{1024 / 16} << 32 | uint64_t{1} << 62;
}

struct Shared {
  uint64_t golden[params::screen_tiles][probe_threads];
  uint32_t mismatches, dumped;
};

__device__ __forceinline__ void clear(void* memory, uint32_t bytes) {
#pragma unroll 1
  for (uint32_t at = threadIdx.x * vector_bytes; at < bytes; at += blockDim.x * vector_bytes)
    ptx::st_global_v4(static_cast<unsigned char*>(memory) + at, make_uint4(0, 0, 0, 0));
}

/// What of the output is the CTA's own: its mismatch, and of CTA 0 what no CTA has. The head has one writer.
__device__ __forceinline__ void clear_output(ScreenOutput& output, bool writes_head) {
  clear(&output.first[blockIdx.x], sizeof output.first[0]);
  if (writes_head) clear(&output, offsetof(ScreenOutput, entries));
  if (blockIdx.x != 0) return;
  clear(&output.entries[gridDim.x], (params::screen_most_ctas - gridDim.x) * sizeof output.entries[0]);
  clear(&output.first[gridDim.x], (params::screen_most_ctas - gridDim.x) * sizeof output.first[0]);
}

/// Fills shared memory. `alters`: with the planted operand.
__device__ __forceinline__ void prepare(const ScreenRecord& r, uint32_t window, bool alters, Shared& shared) {
  const uint32_t thread = threadIdx.x % probe_threads;
  constexpr uint32_t second = params::screen_split + params::screen_b_block_bytes;
  // The first warpgroup fills A and the first block of B, the second one the other.
  const bool is_first = threadIdx.x < probe_threads;
#pragma unroll 1
  for (uint32_t at = is_first ? 0 : second; at < (is_first ? second : params::screen_window_bytes);) {
    const uint32_t end = at == 0 ? params::screen_split : is_first ? second : params::screen_window_bytes;
    fill_operands(window, at, end, at == 0 ? r.a_fill : r.b_fill, thread);
    at = end;
  }
#pragma unroll 1
  for (uint32_t i = threadIdx.x; i < params::screen_tiles * probe_threads; i += blockDim.x)
    shared.golden[i / probe_threads][i % probe_threads] = r.golden[i / probe_threads][i % probe_threads];
  if (threadIdx.x == 0) shared.mismatches = shared.dumped = 0;
  __syncthreads();
  if (alters && threadIdx.x == 0) {
    const uint32_t at = window + r.plant_word / 4 * vector_bytes, lane = r.plant_word % 4;
    uint4 words = ptx::ld_shared_v4(at);
    words.x ^= lane == 0 ? r.plant_mask : 0;
    words.y ^= lane == 1 ? r.plant_mask : 0;
    words.z ^= lane == 2 ? r.plant_mask : 0;
    words.w ^= lane == 3 ? r.plant_mask : 0;
    ptx::st_shared_v4(at, words);
  }
  ptx::fence_proxy_async_shared_cta();
  __syncthreads();
}

/// One chain, to its end.
template <uint32_t kind>
__device__ __forceinline__ void multiply(Registers& d, uint32_t window, uint32_t tile, uint32_t blocks) {
  ptx::wgmma_fence();
  uint32_t of_a = tile % params::screen_a_blocks, of_b = tile % params::screen_b_blocks;
#pragma unroll 1
  for (uint32_t block = 0; block < blocks; ++block) {
    const uint64_t a = descriptor(window + of_a * params::screen_a_block_bytes),
                   b = descriptor(window + params::screen_split + of_b * params::screen_b_block_bytes);
#pragma unroll 1
    for (uint32_t i = 0; i < 4; ++i) ptx::wgmma_m64n256<kind>(d, a + 2 * i, b + 2 * i);
    of_a = of_a == params::screen_a_blocks - 1 ? 0 : of_a + 1;
    of_b ^= 1;
  }
  ptx::wgmma_wait();
}

__device__ __forceinline__ void multiply(uint32_t kind, Registers& d, uint32_t window, uint32_t tile,
                                         uint32_t blocks) {
  if (kind == 0) return multiply<0>(d, window, tile, blocks);
  if (kind == 1) return multiply<1>(d, window, tile, blocks);
  if (kind == 2) return multiply<2>(d, window, tile, blocks);
  if (kind == 3) return multiply<3>(d, window, tile, blocks);
  multiply<4>(d, window, tile, blocks);
}

__device__ __forceinline__ uint64_t hash_of(const Registers& d) {
  uint64_t hash = params::screen_hash_start;
#pragma unroll
  for (uint32_t i = 0; i < params::screen_d_registers; i += 2)
    hash = params::screen_hash(hash, d[i], d[i + 1]);
  return hash;
}

__device__ __forceinline__ void note_mismatch(Shared& shared, params::ScreenMismatch& to, const Registers& d,
                                              uint32_t round, uint32_t tile) {
  atomicAdd(&shared.mismatches, 1u);
  if (atomicExch(&shared.dumped, 1u) != 0) return;
  to.warpgroup = threadIdx.x / probe_threads, to.thread = threadIdx.x % probe_threads;
  to.round = round, to.tile = tile;
#pragma unroll
  for (uint32_t i = 0; i < params::screen_d_registers; ++i) to.d[i] = d[i];
}

__device__ __forceinline__ void screen(const BatchArgs& args, const ScreenRecord& r, Shared& shared) {
  const uint32_t window = window_address(), thread = threadIdx.x % probe_threads;
  ScreenOutput& output =
      *reinterpret_cast<ScreenOutput*>(static_cast<unsigned char*>(args.output) + r.output_offset);
  const uint32_t kind = r.kind, rounds = r.rounds, blocks = r.blocks, c = r.c;
  const uint32_t group = threadIdx.x / probe_threads;
  const bool plants = r.plant != ScreenPlant::none && r.plant_cta % gridDim.x == blockIdx.x;
  const bool writes_head = r.plant == ScreenPlant::none ? blockIdx.x == 0 : plants;
  clear_output(output, writes_head);
  prepare(r, window, plants && r.plant == ScreenPlant::operand, shared);
  // The chain whose result is altered in this thread; none: ~0.
  const bool alters =
      plants && r.plant == ScreenPlant::result && r.plant_warpgroup == group && r.plant_thread == thread;
  const uint32_t altered = alters ? r.plant_round % rounds : ~0u;
  const long long clock = clock64();
  const uint64_t time = ptx::globaltimer();
  uint32_t tile = group * 3;
#pragma unroll 1
  for (uint32_t round = 0; round < rounds; ++round) {
    Registers d;
#pragma unroll
    for (uint32_t i = 0; i < params::screen_d_registers; ++i) d[i] = c;
    ptx::hold(d);
    multiply(kind, d, window, tile, blocks);
    ptx::hold(d);
    if (round == altered) {
#pragma unroll
      for (uint32_t i = 0; i < params::screen_d_registers; ++i)
        d[i] ^= i == r.plant_register ? r.plant_mask : 0;
    }
    if (hash_of(d) != shared.golden[tile][thread])
      note_mismatch(shared, plants ? output.of_planted : output.first[blockIdx.x], d, round, tile);
    tile = tile == params::screen_tiles - 1 ? 0 : tile + 1;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  output.entries[blockIdx.x] = {ptx::smid(), rounds * params::screen_warpgroups,
                                plants ? 0 : shared.mismatches,
                                static_cast<uint32_t>((clock64() - clock) >> 10)};
  if (!writes_head) return;
  output.planted = plants ? shared.mismatches : 0;
  output.ctas = gridDim.x, output.rounds = rounds;
  output.nanoseconds = static_cast<uint32_t>(ptx::globaltimer() - time);
}

}  // namespace

extern "C" __global__ void __launch_bounds__(params::screen_warpgroups* probe_threads)
    screen_wgmma(const __grid_constant__ BatchArgs args) {
  __shared__ Shared shared;
  uint32_t* const note = args.notes + args.first_note + blockIdx.x;
#pragma unroll 1
  for (uint32_t at = 0; at < args.count; ++at) {
    const uint32_t index = args.indexes[at];
    if (threadIdx.x == 0) note_start(note, index);
    screen(args, static_cast<const ScreenRecord*>(args.records)[index], shared);
    __syncthreads();
    if (threadIdx.x != 0) continue;
    if (blockIdx.x == 0) write_end(args, index, params::probe_done);
    note_clear(note);
  }
}

}  // namespace assay
