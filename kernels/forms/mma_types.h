// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/forms/form.h"
#include "kernels/params/warp_mma_types.h"

/// How mma.sync and wgmma spell params::MmaTypes.
namespace assay::forms {

constexpr uint32_t value(params::MmaTypes types) {
  return static_cast<uint32_t>(types);
}

inline constexpr Choice mma_sync_types[] = {
    {".f32.f16.f16.f32", value(params::MmaTypes::f32_f16_f16)},
    {".f16.f16.f16.f16", value(params::MmaTypes::f16_f16_f16)},
    {".f32.bf16.bf16.f32", value(params::MmaTypes::f32_bf16_bf16)},
    {".f32.tf32.tf32.f32", value(params::MmaTypes::f32_tf32_tf32)},
    {".f32.e4m3.e4m3.f32", value(params::MmaTypes::f32_e4m3_e4m3)},
    {".f32.e4m3.e5m2.f32", value(params::MmaTypes::f32_e4m3_e5m2)},
    {".f32.e5m2.e4m3.f32", value(params::MmaTypes::f32_e5m2_e4m3)},
    {".f32.e5m2.e5m2.f32", value(params::MmaTypes::f32_e5m2_e5m2)},
    {".f16.e4m3.e4m3.f16", value(params::MmaTypes::f16_e4m3_e4m3)},
    {".f16.e4m3.e5m2.f16", value(params::MmaTypes::f16_e4m3_e5m2)},
    {".f16.e5m2.e4m3.f16", value(params::MmaTypes::f16_e5m2_e4m3)},
    {".f16.e5m2.e5m2.f16", value(params::MmaTypes::f16_e5m2_e5m2)},
    {".s32.s8.s8.s32", value(params::MmaTypes::s32_s8_s8)},
    {".s32.s8.u8.s32", value(params::MmaTypes::s32_s8_u8)},
    {".s32.u8.s8.s32", value(params::MmaTypes::s32_u8_s8)},
    {".s32.u8.u8.s32", value(params::MmaTypes::s32_u8_u8)},
    {".satfinite.s32.s8.s8.s32", value(params::MmaTypes::s32_s8_s8_satfinite)},
    {".satfinite.s32.s8.u8.s32", value(params::MmaTypes::s32_s8_u8_satfinite)},
    {".satfinite.s32.u8.s8.s32", value(params::MmaTypes::s32_u8_s8_satfinite)},
    {".satfinite.s32.u8.u8.s32", value(params::MmaTypes::s32_u8_u8_satfinite)},
    {".s32.s4.s4.s32", value(params::MmaTypes::s32_s4_s4)},
    {".s32.s4.u4.s32", value(params::MmaTypes::s32_s4_u4)},
    {".s32.u4.s4.s32", value(params::MmaTypes::s32_u4_s4)},
    {".s32.u4.u4.s32", value(params::MmaTypes::s32_u4_u4)},
    {".satfinite.s32.s4.s4.s32", value(params::MmaTypes::s32_s4_s4_satfinite)},
    {".satfinite.s32.s4.u4.s32", value(params::MmaTypes::s32_s4_u4_satfinite)},
    {".satfinite.s32.u4.s4.s32", value(params::MmaTypes::s32_u4_s4_satfinite)},
    {".satfinite.s32.u4.u4.s32", value(params::MmaTypes::s32_u4_u4_satfinite)},
};
static_assert(std::size(mma_sync_types) == params::mma_types_count);

}  // namespace assay::forms
