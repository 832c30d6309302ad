#include "kernels/params/mma_sync_f64.h"
#include "kernels/probe.cuh"

/// Batched probes of mma.sync on f64: one record is the same instruction many times, in four warps.
namespace assay {
namespace {

using namespace probe;
using params::MmaSyncF64Record;

#define ASSAY_F64_A_1 "{%4}"
#define ASSAY_F64_A_2 "{%4,%5}"
#define ASSAY_F64_A_4 "{%4,%5,%6,%7}"
#define ASSAY_F64_A_8 "{%4,%5,%6,%7,%8,%9,%10,%11}"
#define ASSAY_F64_B_1 "{%12}"
#define ASSAY_F64_B_2 "{%12,%13}"
#define ASSAY_F64_B_4 "{%12,%13,%14,%15}"
#define ASSAY_F64_D_2 "{%0,%1}"
#define ASSAY_F64_D_4 "{%0,%1,%2,%3}"

/// d = a * b + d. False when there is no such shape.
__device__ bool multiply(uint32_t m, uint32_t k, double (&d)[4], const double (&a)[8], const double (&b)[4]) {
#define ASSAY_F64_SHAPE(m, k, a_count, b_count, d_count)                                                   \
  case (m) << 8 | (k):                                                                                     \
    asm volatile("mma.sync.aligned.m" #m "n8k" #k ".row.col.f64.f64.f64.f64 " ASSAY_F64_D_##d_count        \
                 "," ASSAY_F64_A_##a_count "," ASSAY_F64_B_##b_count "," ASSAY_F64_D_##d_count ";"         \
                 : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])                                          \
                 : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), \
                   "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]));                                            \
    return true;
  switch (m << 8 | k) {
    ASSAY_F64_SHAPE(8, 4, 1, 1, 2)
    ASSAY_F64_SHAPE(16, 4, 2, 1, 4)
    ASSAY_F64_SHAPE(16, 8, 4, 2, 4)
    ASSAY_F64_SHAPE(16, 16, 8, 4, 4)
    default:
      return false;
  }
#undef ASSAY_F64_SHAPE
}

__device__ double element(const params::DoubleFill& fill, uint64_t i) {
  return __longlong_as_double(static_cast<long long>(params::double_element(fill, i)));
}

struct Shared {
  uint32_t next;  ///< record index that the CTA is at
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
    const uint32_t tiles = r.tiles, registers = r.m / 4;
    double* const output =
        reinterpret_cast<double*>(static_cast<unsigned char*>(args.output) + r.output_offset);
    double a[8];
#pragma unroll
    for (uint32_t i = 0; i < 8; ++i) a[i] = element(r.a_fill, threadIdx.x * 8 + i);
    bool has_shape = true;
#pragma unroll 1
    for (uint32_t tile = 0; tile < tiles && has_shape; ++tile) {
      double b[4], d[4] = {};
#pragma unroll
      for (uint32_t i = 0; i < 4; ++i) b[i] = element(r.b_fill, (tile * 32 + threadIdx.x % 32) * 4 + i);
      const uint32_t first = (threadIdx.x * tiles + tile) * registers;
#pragma unroll
      for (uint32_t i = 0; i < 4; ++i)
        if (i < registers) d[i] = element(r.c_fill, first + i);
      has_shape = multiply(r.m, r.k, d, a, b);
#pragma unroll
      for (uint32_t i = 0; i < 4; ++i)
        if (i < registers) output[first + i] = d[i];
    }
    __syncthreads();
    if (leader) {
      write_end(args, current, has_shape ? params::probe_done : params::probe_surplus);
      note_clear(note);
    }
  }
}

}  // namespace assay
