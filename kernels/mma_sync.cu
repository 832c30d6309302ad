#include "kernels/params/mma_sync.h"
#include "kernels/probe.cuh"

/// Batched probes of mma.sync: one record is the same instruction many times, in four warps.
namespace assay {
namespace {

using namespace probe;
using params::MmaSyncRecord;
using params::MmaTypes;

/// Types as PTX spells them.
#define ASSAY_MMA_SPELL_f32_f16_f16 ".f32.f16.f16.f32"
#define ASSAY_MMA_SPELL_f16_f16_f16 ".f16.f16.f16.f16"
#define ASSAY_MMA_SPELL_f32_bf16_bf16 ".f32.bf16.bf16.f32"
#define ASSAY_MMA_SPELL_f32_tf32_tf32 ".f32.tf32.tf32.f32"
#define ASSAY_MMA_SPELL_f32_e4m3_e4m3 ".f32.e4m3.e4m3.f32"
#define ASSAY_MMA_SPELL_f32_e4m3_e5m2 ".f32.e4m3.e5m2.f32"
#define ASSAY_MMA_SPELL_f32_e5m2_e4m3 ".f32.e5m2.e4m3.f32"
#define ASSAY_MMA_SPELL_f32_e5m2_e5m2 ".f32.e5m2.e5m2.f32"
#define ASSAY_MMA_SPELL_f16_e4m3_e4m3 ".f16.e4m3.e4m3.f16"
#define ASSAY_MMA_SPELL_f16_e4m3_e5m2 ".f16.e4m3.e5m2.f16"
#define ASSAY_MMA_SPELL_f16_e5m2_e4m3 ".f16.e5m2.e4m3.f16"
#define ASSAY_MMA_SPELL_f16_e5m2_e5m2 ".f16.e5m2.e5m2.f16"
#define ASSAY_MMA_SPELL_s32_s8_s8 ".s32.s8.s8.s32"
#define ASSAY_MMA_SPELL_s32_s8_u8 ".s32.s8.u8.s32"
#define ASSAY_MMA_SPELL_s32_u8_s8 ".s32.u8.s8.s32"
#define ASSAY_MMA_SPELL_s32_u8_u8 ".s32.u8.u8.s32"
#define ASSAY_MMA_SPELL_s32_s8_s8_satfinite ".satfinite.s32.s8.s8.s32"
#define ASSAY_MMA_SPELL_s32_s8_u8_satfinite ".satfinite.s32.s8.u8.s32"
#define ASSAY_MMA_SPELL_s32_u8_s8_satfinite ".satfinite.s32.u8.s8.s32"
#define ASSAY_MMA_SPELL_s32_u8_u8_satfinite ".satfinite.s32.u8.u8.s32"
#define ASSAY_MMA_SPELL_s32_s4_s4 ".s32.s4.s4.s32"
#define ASSAY_MMA_SPELL_s32_s4_u4 ".s32.s4.u4.s32"
#define ASSAY_MMA_SPELL_s32_u4_s4 ".s32.u4.s4.s32"
#define ASSAY_MMA_SPELL_s32_u4_u4 ".s32.u4.u4.s32"
#define ASSAY_MMA_SPELL_s32_s4_s4_satfinite ".satfinite.s32.s4.s4.s32"
#define ASSAY_MMA_SPELL_s32_s4_u4_satfinite ".satfinite.s32.s4.u4.s32"
#define ASSAY_MMA_SPELL_s32_u4_s4_satfinite ".satfinite.s32.u4.s4.s32"
#define ASSAY_MMA_SPELL_s32_u4_u4_satfinite ".satfinite.s32.u4.u4.s32"

#define ASSAY_MMA_D_4 "{%0,%1,%2,%3}"
#define ASSAY_MMA_D_2 "{%0,%1}"
#define ASSAY_MMA_A_4 "{%4,%5,%6,%7}"
#define ASSAY_MMA_A_2 "{%4,%5}"
#define ASSAY_MMA_A_1 "{%4}"
#define ASSAY_MMA_B_2 "{%8,%9}"
#define ASSAY_MMA_B_1 "{%8}"

/// d = a * b + d. False when there is no such form.
__device__ bool multiply(uint32_t form, uint32_t (&d)[4], const uint32_t (&a)[4], const uint32_t (&b)[2]) {
#define ASSAY_MMA_SYNC_FORM(types, m, k, a_count, b_count, d_count)                            \
  case params::mma_sync_form(MmaTypes::types, m, k):                                           \
    asm volatile("mma.sync.aligned.m" #m "n8k" #k ".row.col" ASSAY_MMA_SPELL_##types           \
                 " " ASSAY_MMA_D_##d_count "," ASSAY_MMA_A_##a_count "," ASSAY_MMA_B_##b_count \
                 "," ASSAY_MMA_D_##d_count ";"                                                 \
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                              \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));          \
    return true;
  switch (form) {
#include "kernels/params/mma_sync_forms.inc"
    default:
      return false;
  }
#undef ASSAY_MMA_SYNC_FORM
}

struct Shared {
  uint32_t next;  ///< record index that the CTA is at
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
    uint32_t* const output =
        reinterpret_cast<uint32_t*>(static_cast<unsigned char*>(args.output) + r.output_offset);
    constexpr uint32_t slot[4] = {0, 2, 1, 3};
    const bool known = r.known.present != 0;
    uint32_t a[4];
#pragma unroll
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t word = threadIdx.x * 4 + slot[i];
      a[i] = known ? r.known.a_row[word / 4 % 4 + word % 2 * 4] : operand_word(r.a_fill, word);
    }
    bool has_form = true;
#pragma unroll 1
    for (uint32_t tile = 0; tile < tiles && has_form; ++tile) {
      uint32_t b[2], d[4] = {};
#pragma unroll
      for (uint32_t i = 0; i < 2; ++i) {
        const uint32_t word = (tile * 32 + threadIdx.x % 32) * 2 + i;
        b[i] = known ? r.known.b_column[word / 2 % 4 + word % 2 * 4] : operand_word(b_fill, word);
      }
      const uint32_t first = (threadIdx.x * tiles + tile) * registers;
#pragma unroll
      for (uint32_t i = 0; i < 4; ++i)
        if (i < registers) d[i] = known ? r.known.c : operand_word(c_fill, first + i);
      has_form = multiply(form, d, a, b);
#pragma unroll
      for (uint32_t i = 0; i < 4; ++i)
        if (i < registers) output[first + i] = d[i];
    }
    __syncthreads();
    if (leader) {
      write_end(args, current, has_form ? params::probe_done : params::probe_surplus);
      note_clear(note);
    }
  }
}

}  // namespace assay
