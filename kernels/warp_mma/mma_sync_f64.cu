// SPDX-License-Identifier: Apache-2.0
#include "kernels/operands.cuh"
#include "kernels/params/mma_sync_f64.h"

/// Batched probes of mma.sync on f64: one record is the same instruction many times, in four warps.
namespace assay {
namespace {

using namespace probe;
using params::MmaSyncF64Record;

/// d = a * b + d, in one of the forms of kernels/forms/mma_sync.cc.
__device__ void multiply(uint32_t opcode, double (&d)[4], const double (&a)[8], const double (&b)[4]) {
  asm volatile(
      "trap; // assay.forms mma.sync.f64, %4, %0, %1, %2, %3, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, "
      "%15, %16;"
      : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
      : "r"(opcode), "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
        "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));
}

__device__ double element(const params::DoubleFill& fill, uint64_t i) {
  return __longlong_as_double(static_cast<long long>(params::double_element(fill, i)));
}

struct Shared {
  uint32_t next;  ///< record index that the CTA is at
  double b[probe_threads];
};

}  // namespace

extern "C" __global__ void __launch_bounds__(probe_threads)
    mma_sync_f64(const __grid_constant__ BatchArgs args) {
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
    const MmaSyncF64Record& r = static_cast<const MmaSyncF64Record*>(args.records)[current];
    const uint32_t tiles = r.tiles, registers = r.m / 4, opcode = r.opcode;
    // Copies: what is stored might be the record, for all that the compiler knows.
    const params::DoubleFill b_fill = r.b_fill, c_fill = r.c_fill;
    // Of this thread; C lies there before D does.
    double* const output =
        reinterpret_cast<double*>(static_cast<unsigned char*>(args.output) + r.output_offset) +
        threadIdx.x * tiles * registers;
#pragma unroll 1
    for (uint32_t i = 0; i < tiles * registers; ++i)
      output[i] = element(c_fill, threadIdx.x * tiles * registers + i);
    double a[8] = {};
#pragma unroll 1
    for (uint32_t i = 0; i < 8; ++i) put_register(a, i, element(r.a_fill, threadIdx.x * 8 + i));
#pragma unroll 1
    for (uint32_t tile = 0; tile < tiles; ++tile) {
      // The warps have the same B: each thread makes an element.
      __syncthreads();
      shared.b[threadIdx.x] = element(b_fill, tile * probe_threads + threadIdx.x);
      __syncthreads();
      const double* const of_lane = shared.b + threadIdx.x % 32 * 4;
      const double b[4] = {of_lane[0], of_lane[1], of_lane[2], of_lane[3]};
      double d[4] = {};
      double* const of_tile = output + tile * registers;
#pragma unroll
      for (uint32_t i = 0; i < 4; ++i)
        if (i < registers) d[i] = of_tile[i];
      multiply(opcode, d, a, b);
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
