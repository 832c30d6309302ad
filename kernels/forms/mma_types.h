// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "kernels/forms/form.h"
#include "kernels/params/warp_mma_types.h"
#include "reference/spec/mma_kinds.h"

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

// The kinds of tcgen05.mma as choices of an axis, from the table that all rooms share.

constexpr uint8_t targets_of(const spec::MmaKindRow& row) {
  return set_of(spec::where(row.mechanism));
}

/// Text that is joined while the program is compiled.
struct JoinedText {
  std::array<char, 56> text{};
  size_t size = 0;
  constexpr JoinedText& operator+=(std::string_view more) {
    for (const char c : more) text[size++] = c;
    return *this;
  }
  constexpr operator std::string_view() const { return {text.data(), size}; }
};

/// ".kind::f16", ...: all kinds, or those without block scaling; the value is the number of the kind.
template <bool with_scaled>
inline constexpr auto kind_texts = [] {
  std::array<JoinedText, spec::mma_kind_count - (with_scaled ? 0 : spec::scaled_kinds.size())> made{};
  size_t count = 0;
  for (const spec::MmaKindRow& row : spec::mma_kinds)
    if (with_scaled || !row.is_mx) (made[count++] += ".kind::") += row.name;
  return made;
}();
template <bool with_scaled>
inline constexpr auto kind_choices = [] {
  std::array<Choice, kind_texts<with_scaled>.size()> made{};
  size_t count = 0;
  for (const spec::MmaKindRow& row : spec::mma_kinds)
    if (with_scaled || !row.is_mx)
      made[count] = {kind_texts<with_scaled>[count], spec::number_of(row.kind), targets_of(row)}, ++count;
  return made;
}();

/// Kind and vector of scales, which go together: the number of the kind * 64 + that of the qualifier.
constexpr uint32_t scaling_of(spec::MmaKind kind, uint32_t qualifier) {
  return spec::number_of(kind) * 64 + qualifier;
}
inline constexpr size_t scaling_count = [] {
  size_t count = 0;
  for (const spec::MmaKindRow& row : spec::mma_kinds) count += row.qualifiers.size();
  return count;
}();
inline constexpr auto scaling_texts = [] {
  std::array<JoinedText, scaling_count> made{};
  size_t count = 0;
  for (const spec::MmaKindRow& row : spec::mma_kinds)
    for (const uint8_t number : row.qualifiers) {
      ((made[count] += ".kind::") += row.name) += ".block_scale";
      for (const spec::ScaleQualifier& one : spec::scale_qualifiers)
        if (one.number == number) made[count] += one.text;
      ++count;
    }
  return made;
}();
/// PTX ISA, tcgen05.mma: .block16 and .block32 are later names.
constexpr uint8_t ptx_of_scaling(spec::MmaKind kind, uint32_t qualifier) {
  return qualifier >= 16 ? 88 : kind == spec::MmaKind::mxf4nvf4 ? 87 : 86;
}
inline constexpr auto scaling_choices = [] {
  std::array<Choice, scaling_count> made{};
  size_t count = 0;
  for (const spec::MmaKindRow& row : spec::mma_kinds)
    for (const uint8_t number : row.qualifiers)
      made[count] = {scaling_texts[count], scaling_of(row.kind, number), targets_of(row),
                     ptx_of_scaling(row.kind, number)},
      ++count;
  return made;
}();

}  // namespace assay::forms
