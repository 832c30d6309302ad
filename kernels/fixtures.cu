// SPDX-License-Identifier: Apache-2.0
#include "kernels/params/fixture.h"
#include "kernels/probe.cuh"

/// Kernels that misbehave on purpose, by which the sandbox is tested, and the one that writes and checks the
/// arena.
namespace assay {
namespace {

using namespace probe;
using params::FixtureRecord;

/// Runs the records of the launch; `misbehave` is called for the guilty ones.
template <typename Misbehave>
__device__ void run_fixtures(const BatchArgs& args, Misbehave misbehave) {
  if (threadIdx.x != 0) return;
  uint32_t* const note = args.notes + args.first_note + blockIdx.x;
  for (uint32_t index = take(args); index != ~0u; index = take(args)) {
    note_start(note, index);
    const FixtureRecord* record = static_cast<const FixtureRecord*>(args.records) + index;
    if (record->guilty) misbehave();
    const uint32_t value = record->value;
    ptx::st_global_v4(static_cast<unsigned char*>(args.output) + 16 * uint64_t{index},
                      make_uint4(value, value, value, value));
    write_end(args, index, params::probe_done);
    note_clear(note);
  }
}

}  // namespace

extern "C" __global__ void __launch_bounds__(probe_threads)
    fixture_hang(const __grid_constant__ BatchArgs args) {
  run_fixtures(args, [&] {
    // The queue counter never holds this value: the loop has no end, and the compiler cannot know it.
    while (*static_cast<volatile uint32_t*>(args.queue) != ~0u) {
    }
  });
}

extern "C" __global__ void __launch_bounds__(probe_threads)
    fixture_trap(const __grid_constant__ BatchArgs args) {
  run_fixtures(args, [] { ptx::trap(); });
}

extern "C" __global__ void __launch_bounds__(probe_threads)
    fixture_write_out_of_bounds(const __grid_constant__ BatchArgs args) {
  // 2^46 bytes past the arena: outside every allocation, inside the address space.
  run_fixtures(args, [&] {
    void* outside = reinterpret_cast<void*>(reinterpret_cast<uint64_t>(args.arena) + (1ull << 46));
    ptx::st_global_v4(outside, make_uint4(1, 2, 3, 4));
  });
}

/// Writes the words of the arena that are not as they must be. Where there are `differences`, [0] += number
/// of these, [1] = index of one of them.
extern "C" __global__ void __launch_bounds__(probe_threads) arena(uint64_t* words, uint32_t* differences) {
  const uint64_t step = uint64_t{gridDim.x} * probe_threads;
  uint32_t wrong = 0, where = 0;
  for (uint64_t i = uint64_t{blockIdx.x} * probe_threads + threadIdx.x; i < params::arena_bytes / 8;
       i += step) {
    const uint64_t word = params::arena_word(i);
    if (*const_cast<const volatile uint64_t*>(&words[i]) == word) continue;
    words[i] = word;
    ++wrong;
    where = static_cast<uint32_t>(i);
  }
  if (wrong == 0 || differences == nullptr) return;
  atomicAdd(&differences[0], wrong);
  atomicExch(&differences[1], where);
}

}  // namespace assay
