// SPDX-License-Identifier: Apache-2.0
#include "kernels/operands.cuh"
#include "kernels/params/wgmma.h"

/// Batched probes of wgmma.mma_async: one record is one instruction of four warps, the first or the second
/// four.
namespace assay {
namespace {

using namespace probe;
using params::WgmmaRecord;

/// The window's part that holds the same row (column) of `quads` times 16 bytes in each line.
__device__ void fill_known(uint32_t window, uint32_t from, uint32_t to, const uint32_t* row, uint32_t quads) {
#pragma unroll 1
  for (uint32_t at = from + threadIdx.x * vector_bytes; at < to; at += sweep_bytes) {
    const uint32_t* quad = row + at / 128 % quads * 4;
    ptx::st_shared_v4(window + at, make_uint4(quad[0], quad[1], quad[2], quad[3]));
  }
}

struct Operands {
  uint32_t* d;  ///< of this thread
  uint64_t a_desc, b_desc;
  uint32_t scale_d;
  uint32_t a[4];
  uint32_t e;  ///< metadata of a sparse A
};

/// One of the forms of kernels/forms/wgmma.cc.
__device__ void multiply(uint32_t opcode, const Operands& o) {
  asm volatile("trap; // assay.forms wgmma, %0, %1, %2, %3, %4, %5, %6, %7, %8, %9;" ::"r"(opcode), "l"(o.d),
               "l"(o.b_desc), "r"(o.scale_d), "l"(o.a_desc), "r"(o.a[0]), "r"(o.a[1]), "r"(o.a[2]),
               "r"(o.a[3]), "r"(o.e)
               : "memory");
}

struct Shared {
  uint32_t next;  ///< record index that the CTA is at
};

}  // namespace

extern "C" __global__ void __launch_bounds__(2 * probe_threads)
    wgmma(const __grid_constant__ BatchArgs args) {
  __shared__ Shared shared;
  const uint32_t window = window_address();
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
    const WgmmaRecord& r = static_cast<const WgmmaRecord*>(args.records)[current];
    const uint32_t form = r.form;
    const bool known = r.known.present != 0;
#pragma unroll 1
    for (uint32_t part = 0; part < (threadIdx.x < probe_threads ? 2 : 0); ++part) {
      const uint32_t from = part ? r.split : 0, to = part ? r.window_bytes : r.split;
      if (known)
        fill_known(window, from, to, part ? r.known.b_column : r.known.a_row, part ? 4 : 2);
      else
        fill_operands(window, from, to, part ? r.b_fill : r.a_fill);
    }
    uint32_t* const output =
        reinterpret_cast<uint32_t*>(static_cast<unsigned char*>(args.output) + r.output_offset);
    const uint32_t words = r.output_bytes / 4;
    const OperandFill c_fill = r.c_fill;
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < words; i += blockDim.x)
      output[i] = known ? r.known.c : operand_word(c_fill, i);
    const uint32_t thread = threadIdx.x % probe_threads;
    Operands o;
    o.d = output + thread * params::wgmma_d_registers(form);
    // A descriptor counts in 16 bytes; what is carried out of its start field is lost, as in any address sum.
    const auto placed = [&](uint64_t desc) {
      return (desc & ~uint64_t{0x3fff}) | ((desc + window / 16) & 0x3fff);
    };
    o.a_desc = placed(r.a_desc);
    o.b_desc = placed(r.b_desc);
    o.scale_d = r.scale_d;
    o.e = r.sparse_metadata[thread];
    o.a[0] = o.a[1] = o.a[2] = o.a[3] = 0;
    if (form & params::wgmma_a_in_registers) a_registers(o.a, r.known, r.a_fill);
    ptx::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x / probe_threads == r.warpgroup) multiply(r.opcode, o);
    __syncthreads();
    if (leader) {
      write_end(args, current, params::probe_done);
      note_clear(note);
    }
  }
}

}  // namespace assay
