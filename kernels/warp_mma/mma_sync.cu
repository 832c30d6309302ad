// SPDX-License-Identifier: Apache-2.0
#include "kernels/operands.cuh"
#include "kernels/params/mma_sync.h"

/// Batched probes of mma.sync and mma.sp: one record is the same instruction many times, in four warps.
namespace assay {
namespace {

using namespace probe;
using params::MmaSyncRecord;

/// d = a * b + d, in one of the forms of kernels/forms/mma_sync.cc; e: the metadata of a sparse A.
__device__ void multiply(uint32_t opcode, uint32_t (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[4],
                         uint32_t e) {
  asm volatile("trap; // assay.forms mma.sync, %4, %0, %1, %2, %3, %5, %6, %7, %8, %9, %10, %11, %12, %13;"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
               : "r"(opcode), "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]),
                 "r"(b[3]), "r"(e));
}

struct Shared {
  uint32_t next;                  ///< record index that the CTA is at
  uint32_t b[probe_threads + 2];  ///< a lane that has two words loads four
};

}  // namespace

extern "C" __global__ void __launch_bounds__(probe_threads) mma_sync(const __grid_constant__ BatchArgs args) {
  __shared__ Shared shared;
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
    const MmaSyncRecord& r = static_cast<const MmaSyncRecord*>(args.records)[current];
    const uint32_t form = r.form, tiles = r.tiles, registers = params::mma_sync_d_registers(form);
    const params::OperandFill b_fill = r.b_fill, c_fill = r.c_fill;
    // Of this thread; C lies there before D does.
    uint32_t* const output =
        reinterpret_cast<uint32_t*>(static_cast<unsigned char*>(args.output) + r.output_offset) +
        threadIdx.x * tiles * registers;
    const bool known = r.known.present != 0, whole = r.registers.present != 0;
    const uint32_t known_c = r.known.c, opcode = r.opcode, b_words = r.b_words;
    const uint32_t e = r.sparse_metadata[threadIdx.x];
    uint32_t a[4] = {};
    a_registers(a, r.known, r.a_fill);
    const uint32_t* const of_lane_c = r.registers.c + threadIdx.x % 32 * 4;
    if (whole) {
#pragma unroll
      for (uint32_t i = 0; i < 4; ++i) a[i] = r.registers.a[threadIdx.x % 32 * 4 + i];
    }
#pragma unroll 1
    for (uint32_t i = 0; i < tiles * registers; ++i)
      output[i] = whole   ? of_lane_c[i % registers]
                  : known ? known_c
                          : operand_word(c_fill, threadIdx.x * tiles * registers + i);
#pragma unroll 1
    for (uint32_t tile = 0; tile < tiles; ++tile) {
      // The warps have the same B: each thread makes a word of two tiles, or of one with four words a lane.
      const uint32_t first = tile * b_words * 32;
      if (first % probe_threads == 0) {
        const uint32_t word = first + threadIdx.x;
        __syncthreads();
        shared.b[threadIdx.x] = whole   ? r.registers.b[word / b_words % 32 * 4 + word % b_words]
                                : known ? r.known.b_column[word / b_words % 4 + word % b_words * 4]
                                        : operand_word(b_fill, word);
        __syncthreads();
      }
      const uint32_t* const of_lane = shared.b + first % probe_threads + threadIdx.x % 32 * b_words;
      const uint32_t b[4] = {of_lane[0], of_lane[1], of_lane[2], of_lane[3]};
      uint32_t d[4] = {};
      uint32_t* const of_tile = output + tile * registers;
#pragma unroll
      for (uint32_t i = 0; i < 4; ++i)
        if (i < registers) d[i] = of_tile[i];
      multiply(opcode, d, a, b, e);
#pragma unroll
      for (uint32_t i = 0; i < 4; ++i)
        if (i < registers) of_tile[i] = d[i];
    }
    __syncthreads();
    if (leader) {
      write_end(args, current, params::probe_done);
      note_clear(note);
    }
  }
}

}  // namespace assay
