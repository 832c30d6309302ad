// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::params {

/// Types of D, A and B, and of the arithmetic: what a wgmma or mma.sync instruction spells out.
enum class MmaTypes : uint8_t {
  f32_f16_f16,
  f16_f16_f16,
  f32_bf16_bf16,
  f32_tf32_tf32,
  f32_e4m3_e4m3,
  f32_e4m3_e5m2,
  f32_e5m2_e4m3,
  f32_e5m2_e5m2,
  f16_e4m3_e4m3,
  f16_e4m3_e5m2,
  f16_e5m2_e4m3,
  f16_e5m2_e5m2,
  s32_s8_s8,
  s32_s8_u8,
  s32_u8_s8,
  s32_u8_u8,
  s32_s8_s8_satfinite,
  s32_s8_u8_satfinite,
  s32_u8_s8_satfinite,
  s32_u8_u8_satfinite,
  s32_s4_s4,
  s32_s4_u4,
  s32_u4_s4,
  s32_u4_u4,
  s32_s4_s4_satfinite,
  s32_s4_u4_satfinite,
  s32_u4_s4_satfinite,
  s32_u4_u4_satfinite,
};
inline constexpr int mma_types_count = 28;

constexpr bool has_half_accumulator(MmaTypes types) {
  return types == MmaTypes::f16_f16_f16 ||
         (types >= MmaTypes::f16_e4m3_e4m3 && types <= MmaTypes::f16_e5m2_e5m2);
}
constexpr bool has_integers(MmaTypes types) {
  return types >= MmaTypes::s32_s8_s8;
}
/// Bits of an element of A (and of B).
constexpr uint32_t a_bits(MmaTypes types) {
  if (types >= MmaTypes::s32_s4_s4) return 4;
  if (types >= MmaTypes::f32_e4m3_e4m3) return 8;
  return types == MmaTypes::f32_tf32_tf32 ? 32 : 16;
}

/// How an instruction with a sparse A is spelled: `.sp`, or `.sp::ordered_metadata`.
enum class MmaSparsity : uint8_t { none, sp, sp_ordered_metadata };
/// What a form says of its A: 0 of a dense one, else how it is spelled, and the selector (0 to 3).
constexpr uint32_t mma_sparsity(MmaSparsity spelling, uint32_t selector) {
  return static_cast<uint32_t>(spelling) << 2 | selector;
}

}  // namespace assay::params
