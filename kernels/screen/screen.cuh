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

/// Bits of one of the four words at a multiple of 16 in shared memory.
__device__ __forceinline__ void alter_vector(uint32_t at, uint32_t word, uint32_t mask) {
  uint4 words = ptx::ld_shared_v4(at);
  words.x ^= word == 0 ? mask : 0;
  words.y ^= word == 1 ? mask : 0;
  words.z ^= word == 2 ? mask : 0;
  words.w ^= word == 3 ? mask : 0;
  ptx::st_shared_v4(at, words);
}

/// compare(record, index, plants, output) runs and compares one, by all threads; `plants`: this CTA does.
template <typename Record, typename Output, typename Compare>
__device__ __forceinline__ void run_records(const BatchArgs& args, Found& found, uint32_t results_of_round,
                                            Compare compare) {
  uint32_t* const note = args.notes + args.first_note + blockIdx.x;
#pragma unroll 1
  for (uint32_t at = 0; at < args.count; ++at) {
    const uint32_t index = args.indexes[at];
    if (threadIdx.x == 0) {
      note_start(note, index);
      found.mismatches = 0;
    }
    const Record& r = static_cast<const Record*>(args.records)[index];
    Output& output = *reinterpret_cast<Output*>(static_cast<unsigned char*>(args.output) + r.output_offset);
    const bool is_planted = r.plant != params::ScreenPlant::none;
    const bool plants = is_planted && r.plant_cta % gridDim.x == blockIdx.x;
    const bool writes_head = is_planted ? plants : blockIdx.x == 0;
    clear_output(output, writes_head);
    __syncthreads();
    const long long clock = clock64();
    const uint64_t time = ptx::globaltimer();
    compare(r, index, plants, output);
    __syncthreads();
    if (threadIdx.x != 0) continue;
    output.entries[blockIdx.x] = {ptx::smid(), r.rounds * results_of_round, plants ? 0 : found.mismatches,
                                  static_cast<uint32_t>((clock64() - clock) >> 10)};
    if (writes_head) {
      output.planted = plants ? found.mismatches : 0;
      output.ctas = gridDim.x, output.rounds = r.rounds;
      output.nanoseconds = static_cast<uint32_t>(ptx::globaltimer() - time);
    }
    if (blockIdx.x == 0) write_end(args, index, params::probe_done);
    note_clear(note);
  }
}

}  // namespace assay::screen
