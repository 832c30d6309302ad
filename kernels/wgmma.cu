#include <cstddef>

#include "kernels/params/wgmma.h"
#include "kernels/probe.cuh"
#include "kernels/wgmma_form.cuh"

/// Batched probes of wgmma.mma_async: one record is one instruction of four warps.
namespace assay {
namespace {

using namespace probe;
using params::MmaTypes;
using params::OperandFill;
using params::WgmmaRecord;

/// Types that share a kernel, so that none is too large for the assembler to be quick.
constexpr int group_of(MmaTypes types) {
  if (types <= MmaTypes::f32_tf32_tf32) return static_cast<int>(types);
  return types <= MmaTypes::f16_e5m2_e5m2 ? 4 : 5;
}

/// The window's part that holds the same row (column) in each line.
__device__ void fill_known(uint32_t window, uint32_t from, uint32_t to, const uint32_t (&row)[8]) {
#pragma unroll 1
  for (uint32_t at = from + threadIdx.x * vector_bytes; at < to; at += sweep_bytes) {
    const uint32_t* quad = row + at / 128 % 2 * 4;
    ptx::st_shared_v4(window + at, make_uint4(quad[0], quad[1], quad[2], quad[3]));
  }
}

__device__ void fill_words(uint32_t window, uint32_t from, uint32_t to, const OperandFill& fill) {
#pragma unroll 1
  for (uint32_t at = from + threadIdx.x * vector_bytes; at < to; at += sweep_bytes) {
    const uint32_t i = at / 4;
    ptx::st_shared_v4(window + at, make_uint4(operand_word(fill, i), operand_word(fill, i + 1),
                                              operand_word(fill, i + 2), operand_word(fill, i + 3)));
  }
}

struct Operands {
  uint32_t* d;  ///< of this thread
  uint64_t a_desc, b_desc;
  uint32_t scale_d;
  uint32_t a[4];
};

/// False when there is no such form.
template <int group>
__device__ bool multiply(uint32_t form, const Operands& o) {
#define ASSAY_WGMMA_SS 0u
#define ASSAY_WGMMA_RS           \
  uint32_t {                     \
    params::wgmma_a_in_registers \
  }
#define ASSAY_WGMMA_INPUT_SS "l"(o.a_desc)
#define ASSAY_WGMMA_INPUT_RS "r"(o.a[0]), "r"(o.a[1]), "r"(o.a[2]), "r"(o.a[3])
#define ASSAY_WGMMA_FORM(types, n, width, blocks, source, sa, sb, ta, tb)                                    \
  case params::wgmma_form(                                                                             \
      MmaTypes::types, n,                                                                              \
      ASSAY_WGMMA_##source | (ta ? params::wgmma_transpose_a : 0u) | (tb ? params::wgmma_transpose_b : 0u) | \
          (sa < 0 ? params::wgmma_negate_a : 0u) | (sb < 0 ? params::wgmma_negate_b : 0u)):            \
    if constexpr (group_of(MmaTypes::types) == group)                                                  \
      asm volatile(ASSAY_WGMMA_TEXT(types, n, width, blocks, source, sa, sb, ta, tb)::"l"(o.d),        \
                   "l"(o.b_desc), "r"(o.scale_d), ASSAY_WGMMA_INPUT_##source                           \
                   : "memory");                                                                              \
    return group_of(MmaTypes::types) == group;
  switch (form) {
#include "kernels/params/wgmma_forms.inc"
    default:
      return false;
  }
#undef ASSAY_WGMMA_FORM
}

struct Shared {
  uint32_t next;  ///< record index that the CTA is at
};

template <int group>
__device__ void run(const BatchArgs& args, Shared& shared) {
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
    if (known) {
      fill_known(window, 0, r.split, r.known.a_row);
      fill_known(window, r.split, r.window_bytes, r.known.b_column);
    } else {
      fill_words(window, 0, r.split, r.a_fill);
      fill_words(window, r.split, r.window_bytes, r.b_fill);
    }
    uint32_t* const output =
        reinterpret_cast<uint32_t*>(static_cast<unsigned char*>(args.output) + r.output_offset);
    const uint32_t words = r.output_bytes / 4;
    const OperandFill c_fill = r.c_fill;
#pragma unroll 1
    for (uint32_t i = threadIdx.x; i < words; i += probe_threads)
      output[i] = known ? r.known.c : operand_word(c_fill, i);
    Operands o;
    o.d = output + threadIdx.x * params::wgmma_d_registers(form);
    // A descriptor counts in 16 bytes; what is carried out of its start field is lost, as in any address sum.
    const auto placed = [&](uint64_t desc) {
      return (desc & ~uint64_t{0x3fff}) | ((desc + window / 16) & 0x3fff);
    };
    o.a_desc = placed(r.a_desc);
    o.b_desc = placed(r.b_desc);
    o.scale_d = r.scale_d;
    constexpr uint32_t slot[4] = {0, 2, 1, 3};
#pragma unroll
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t word = threadIdx.x * 4 + slot[i];
      o.a[i] = 0;
      if (form & params::wgmma_a_in_registers)
        o.a[i] = known ? r.known.a_row[word / 4 % 4 + word % 2 * 4] : operand_word(r.a_fill, word);
    }
    ptx::fence_proxy_async_shared_cta();
    __syncthreads();
    const bool has_form = multiply<group>(form, o);
    __syncthreads();
    if (leader) {
      write_end(args, current, has_form ? params::probe_done : params::probe_surplus);
      note_clear(note);
    }
  }
}

}  // namespace

// The shared variable stands in the kernel: in a function of internal linkage its name would carry a hash of
// the source's path.
#define ASSAY_WGMMA_KERNEL(name, group)                                                                      \
  extern "C" __global__ void __launch_bounds__(probe_threads) name(const __grid_constant__ BatchArgs args) { \
    __shared__ Shared shared;                                                                                \
    run<group>(args, shared);                                                                                \
  }
ASSAY_WGMMA_KERNEL(wgmma_f32_f16, 0)
ASSAY_WGMMA_KERNEL(wgmma_f16_f16, 1)
ASSAY_WGMMA_KERNEL(wgmma_f32_bf16, 2)
ASSAY_WGMMA_KERNEL(wgmma_f32_tf32, 3)
ASSAY_WGMMA_KERNEL(wgmma_fp8, 4)
ASSAY_WGMMA_KERNEL(wgmma_i8, 5)

}  // namespace assay
