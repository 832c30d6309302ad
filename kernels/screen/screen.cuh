// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kernels/operands.cuh"
#include "kernels/params/screen.h"

/// What the kernels of a screen share: each CTA runs all records, in their order, and tells of itself.
namespace assay::screen {

using namespace probe;

/// In shared memory, of the record that runs.
struct Found {
  uint32_t mismatches;
};

__device__ __forceinline__ void clear(void* memory, uint32_t bytes) {
#pragma unroll 1
  for (uint32_t at = threadIdx.x * vector_bytes; at < bytes; at += blockDim.x * vector_bytes)
    ptx::st_global_v4(static_cast<unsigned char*>(memory) + at, make_uint4(0, 0, 0, 0));
}

/// What of the output is the CTA's own: its mismatch, and of CTA 0 what no CTA has. The head has one writer.
template <typename Mismatch>
__device__ __forceinline__ void clear_output(params::ScreenOutputOf<Mismatch>& output, bool writes_head) {
  clear(&output.first[blockIdx.x], sizeof output.first[0]);
  if (writes_head) clear(&output, offsetof(params::ScreenOutputOf<Mismatch>, entries));
  if (blockIdx.x != 0) return;
  clear(&output.entries[gridDim.x], (params::screen_most_ctas - gridDim.x) * sizeof output.entries[0]);
  clear(&output.first[gridDim.x], (params::screen_most_ctas - gridDim.x) * sizeof output.first[0]);
}

/// Whether this CTA runs the record.
__device__ __forceinline__ bool takes_part(const params::ScreenTurns& turns) {
  const bool is_there = turns.only_sm == params::screen_every_sm || turns.only_sm == ptx::smid();
  return is_there && blockIdx.x % turns.cta_step == turns.cta_first;
}

/// Until the time of a chain or a load has come; by whole warps.
__device__ __forceinline__ void wait_for_pulse(const params::ScreenTurns& turns) {
  if (turns.off_us == 0) return;
  const uint64_t period = uint64_t{turns.on_us + turns.off_us} * 1000;
  if (threadIdx.x % 32 == 0)
    while ((ptx::globaltimer() + uint64_t{turns.phase_us} * 1000) % period >= uint64_t{turns.on_us} * 1000)
      __nanosleep(20000);
  __syncwarp();
}

/// Bits of one of the four words at a multiple of 16 in shared memory.
__device__ __forceinline__ void alter_vector(uint32_t at, uint32_t word, uint32_t mask) {
  uint4 words = ptx::ld_shared_v4(at);
  words.x ^= word == 0 ? mask : 0;
  words.y ^= word == 1 ? mask : 0;
  words.z ^= word == 2 ? mask : 0;
  words.w ^= word == 3 ? mask : 0;
  ptx::st_shared_v4(at, words);
}

/// A record as this CTA runs it.
template <typename Record, typename Output>
struct Running {
  const Record& r;
  Output& output;
  Found& found;
  bool plants, writes_head, takes;
  long long clock;
  uint64_t time;
};

/// By all threads; they meet before anything is compared.
template <typename Record, typename Output>
__device__ __forceinline__ Running<Record, Output> begin_record(const BatchArgs& args, const Record& r,
                                                                Found& found) {
  if (threadIdx.x == 0) found.mismatches = 0;
  Output& output = *reinterpret_cast<Output*>(static_cast<unsigned char*>(args.output) + r.output_offset);
  const bool is_planted = r.plant != params::ScreenPlant::none;
  const uint32_t step = r.turns.cta_step;
  const bool plants = is_planted && r.plant_cta % (gridDim.x / step) * step + r.turns.cta_first == blockIdx.x;
  const bool writes_head = is_planted ? plants : blockIdx.x == 0;
  clear_output(output, writes_head);
  __syncthreads();
  return {r, output, found, plants, writes_head, takes_part(r.turns), clock64(), ptx::globaltimer()};
}

/// By one thread, when all have compared `compared` results a round.
template <typename Record, typename Output>
__device__ __forceinline__ void end_record(const Running<Record, Output>& run, uint32_t compared) {
  run.output.entries[blockIdx.x] = {ptx::smid(), run.takes ? run.r.rounds * compared : 0,
                                    run.plants ? 0 : run.found.mismatches,
                                    static_cast<uint32_t>((clock64() - run.clock) >> 10)};
  if (!run.writes_head) return;
  run.output.planted = run.plants ? run.found.mismatches : 0;
  run.output.ctas = gridDim.x, run.output.rounds = run.r.rounds;
  run.output.nanoseconds = static_cast<uint32_t>(ptx::globaltimer() - run.time);
}

/// run(index) runs one, by all threads, which meet at its end.
template <typename Run>
__device__ __forceinline__ void run_records(const BatchArgs& args, Run run) {
  uint32_t* const note = args.notes + args.first_note + blockIdx.x;
#pragma unroll 1
  for (uint32_t at = 0; at < args.count; ++at) {
    const uint32_t index = args.indexes[at];
    if (threadIdx.x == 0) note_start(note, index);
    run(index);
    if (threadIdx.x != 0) continue;
    if (blockIdx.x == 0) write_end(args, index, params::probe_done);
    note_clear(note);
  }
}

}  // namespace assay::screen
