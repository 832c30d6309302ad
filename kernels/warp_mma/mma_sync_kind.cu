// SPDX-License-Identifier: Apache-2.0
#include "kernels/operands.cuh"
#include "kernels/params/mma_sync_kind.h"

/// Batched probes of mma.sync and mma.sp with a kind (sm_120a): one record is the same instruction many
/// times, in four warps.
namespace assay {
namespace {

using namespace probe;
using params::MmaSyncKindRecord;

/// d = a * b + d, in one of the forms of kernels/forms/mma_sync.cc; e: the metadata of a sparse A.
__device__ void multiply(uint32_t opcode, uint32_t (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[4],
                         uint32_t e) {
  asm volatile(
      "trap; // assay.forms mma.sync.kind, %4, %0, %1, %2, %3, %5, %6, %7, %8, %9, %10, %11, %12, %13;"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(opcode), "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]),
        "r"(e));
}

/// The same with a word of scales of each thread; `selectors` as the record has them.
__device__ void multiply_scaled(uint32_t opcode, uint32_t (&d)[4], const uint32_t (&a)[4],
                                const uint32_t (&b)[4], uint32_t e, uint32_t a_scales, uint32_t b_scales,
                                uint32_t selectors) {
  const auto selector = [&](uint32_t i) { return static_cast<uint16_t>(selectors >> 8 * i & 0xff); };
  asm volatile(
      "trap; // assay.forms mma.sync.block_scale, %4, %0, %1, %2, %3, %5, %6, %7, %8, %9, %10, %11, %12, "
      "%13, %14, %15, %16, %17, %18, %19;"
      : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
      : "r"(opcode), "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]),
        "r"(e), "r"(a_scales), "h"(selector(0)), "h"(selector(1)), "r"(b_scales), "h"(selector(2)),
        "h"(selector(3)));
}

struct Shared {
  uint32_t next;  ///< record index that the CTA is at
};

}  // namespace

extern "C" __global__ void __launch_bounds__(probe_threads)
    mma_sync_kind(const __grid_constant__ BatchArgs args) {
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
    const MmaSyncKindRecord& r = static_cast<const MmaSyncKindRecord*>(args.records)[current];
    const uint32_t tiles = r.tiles, opcode = r.opcode, selectors = r.selectors;
    const uint32_t registers = r.d_is_f16 != 0 ? 2 : 4;
    const uint32_t b_words = params::mma_sync_kind_b_words(r.is_sparse), e = r.sparse_metadata[threadIdx.x];
    const bool scaled = params::is_scaled(r.kind);
    // Copies: what is stored might be the record, for all that the compiler knows.
    const params::OperandFill b_fill = r.b_fill, c_fill = r.c_fill, a_scale_fill = r.a_scale_fill,
                              b_scale_fill = r.b_scale_fill;
    uint32_t* const output =
        reinterpret_cast<uint32_t*>(static_cast<unsigned char*>(args.output) + r.output_offset) +
        threadIdx.x * tiles * registers;
    uint32_t a[4] = {};
    a_registers(a, r.known, r.a_fill);
    const uint32_t lane = threadIdx.x % 32, known_c = r.known.c;
    const bool known = r.known.present != 0;
#pragma unroll 1
    for (uint32_t tile = 0; tile < tiles; ++tile) {
      uint32_t b[4] = {}, d[4] = {};
#pragma unroll 1
      for (uint32_t i = 0; i < b_words; ++i)
        put_register(b, i,
                     known ? r.known.b_column[lane % 4 + i * 4]
                           : operand_word(b_fill, (tile * 32 + lane) * b_words + i));
#pragma unroll 1
      for (uint32_t i = 0; i < registers; ++i)
        put_register(d, i,
                     known ? known_c : operand_word(c_fill, (threadIdx.x * tiles + tile) * registers + i));
      if (scaled)
        multiply_scaled(opcode, d, a, b, e, operand_word(a_scale_fill, tile * probe_threads + threadIdx.x),
                        operand_word(b_scale_fill, tile * 32 + lane), selectors);
      else
        multiply(opcode, d, a, b, e);
      uint32_t* const of_tile = output + tile * registers;
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
