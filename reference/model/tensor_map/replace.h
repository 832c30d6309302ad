// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "reference/spec/question.h"
#include "reference/spec/rule.h"
#include "reference/spec/tensor_map_bits.h"

namespace assay::model {

/// Fields of tensormap.replace.tile, in PTX spelling.
enum class MapField : uint8_t {
  global_address,
  rank,
  box_dim,
  global_dim,
  global_stride,
  element_stride,
  elemtype,
  interleave_layout,
  swizzle_mode,
  swizzle_atomicity,
  fill_mode,
};
inline constexpr std::array<std::string_view, 11> map_field_names{
    "global_address", "rank",     "box_dim",           "global_dim",   "global_stride",
    "element_stride", "elemtype", "interleave_layout", "swizzle_mode", "swizzle_atomicity",
    "fill_mode"};

/// box_dim, global_dim, global_stride and element_stride name a dimension (strides: from 1 on) by an ordinal.
constexpr bool has_ordinal(MapField field) {
  return field >= MapField::box_dim && field <= MapField::element_stride;
}
inline constexpr uint32_t map_ordinals = 5;
/// Of fields whose operand is an immediate: the values that assemble are 0 to this; 0 of the others.
uint32_t largest_immediate(MapField, spec::Arch);
/// swizzle_atomicity does not exist on sm_90.
bool exists(MapField, spec::Arch);

/// One tensormap.replace; the operand in the units of PTX.
struct MapReplacement {
  MapField field = MapField::global_address;
  uint32_t ordinal = 0;
  uint64_t value = 0;
  bool in_shared = false;  ///< of a map in shared memory, which makes no difference
  uint32_t thread = 0;     ///< of the CTA, that executes it, which makes none either
};

/// What it makes of the object, and the rules that say so. The operand of fields with an immediate is one
/// that assembles.
void replace(spec::TensorMapBytes&, const MapReplacement&, const spec::Readings&, spec::RuleSet& rules);

}  // namespace assay::model
