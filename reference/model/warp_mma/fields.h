// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <concepts>
#include <string_view>
#include <type_traits>

#include "reference/model/case_field.h"
#include "reference/model/mma/fields.h"
#include "reference/model/rig.h"
#include "reference/model/warp_mma/case.h"

/// The members of a sparse A in registers, for case_fields.h.
namespace assay {

// Beside the type, where the templates of case_fields.h find them.
template <typename Sparse, typename Visit>
requires std::same_as<std::remove_const_t<Sparse>, SparseA>
void visit_fields(Sparse& s, const Visit& visit) {
  ASSAY_FIELD(visit, s, codes, .shows = as_hex);
  ASSAY_FIELD(visit, s, is_known);
  ASSAY_FIELD(visit, s, of_quad, .shows = as_hex);
  ASSAY_FIELD(visit, s, ordered);
  ASSAY_FIELD(visit, s, present);
  ASSAY_FIELD(visit, s, seed, .shows = as_hex);
  ASSAY_FIELD(visit, s, selector, .most = 3);
  ASSAY_FIELD(visit, s, strange_codes, .shows = as_hex);
  ASSAY_FIELD(visit, s, strange_rate, .unit = "of 256", .most = 256);
}

// The members of wgmma and mma.sync.

inline constexpr std::array<std::string_view, 9> mma_element_names{"f16", "bf16", "tf32", "e4m3", "e5m2",
                                                                   "s8",  "u8",   "s4",   "u4"};
inline constexpr std::array<std::string_view, 3> mma_accumulator_names{"f32", "f16", "s32"};
inline constexpr uint32_t sync_m_extents[] = {8, 16};

// Beside the types, where the templates of case_fields.h find them.
inline const auto& spellings_of(MmaElement) {
  return mma_element_names;
}
inline const auto& spellings_of(MmaAccumulator) {
  return mma_accumulator_names;
}

template <typename Types, typename Visit>
requires std::same_as<std::remove_const_t<Types>, MmaTypes>
void visit_fields(Types& t, const Visit& visit) {
  ASSAY_FIELD(visit, t, a);
  ASSAY_FIELD(visit, t, b);
  ASSAY_FIELD(visit, t, d);
  ASSAY_FIELD(visit, t, saturates);
}

template <typename Registers, typename Visit>
requires std::same_as<std::remove_const_t<Registers>, WarpRegisters>
void visit_fields(Registers& r, const Visit& visit) {
  ASSAY_FIELD(visit, r, a, .shows = as_hex);
  ASSAY_FIELD(visit, r, b, .shows = as_hex);
  ASSAY_FIELD(visit, r, c, .shows = as_hex);
  ASSAY_FIELD(visit, r, metadata, .shows = as_hex);
  ASSAY_FIELD(visit, r, present);
}

template <typename Wgmma, typename Visit>
requires std::same_as<std::remove_const_t<Wgmma>, WgmmaCase>
void visit_fields(Wgmma& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, a);
  ASSAY_FIELD(visit, c, a_fill);
  ASSAY_FIELD(visit, c, a_ignored, .told = elsewhere, .shows = as_hex);
  ASSAY_FIELD(visit, c, a_in_registers, .told = elsewhere);
  ASSAY_FIELD(visit, c, b);
  ASSAY_FIELD(visit, c, b_fill);
  ASSAY_FIELD(visit, c, b_ignored, .told = elsewhere, .shows = as_hex);
  ASSAY_FIELD(visit, c, c_fill);
  ASSAY_FIELD(visit, c, in_groups, .told = elsewhere);
  ASSAY_FIELD(visit, c, known);
  ASSAY_FIELD(visit, c, n, .least = 8, .most = 256, .multiple = 8, .told = elsewhere);
  ASSAY_FIELD(visit, c, negate_a, .told = elsewhere);
  ASSAY_FIELD(visit, c, negate_b, .told = elsewhere);
  ASSAY_FIELD(visit, c, pending, .told = elsewhere);
  ASSAY_FIELD(visit, c, scale_d, .told = elsewhere);
  ASSAY_FIELD(visit, c, sparse);
  ASSAY_FIELD(visit, c, split, .unit = "bytes", .most = rig::max_operand_window_bytes, .multiple = 16,
              .told = always);
  ASSAY_FIELD(visit, c, transpose_a, .told = elsewhere);
  ASSAY_FIELD(visit, c, transpose_b, .told = elsewhere);
  ASSAY_FIELD(visit, c, types);
  ASSAY_FIELD(visit, c, warpgroup, .most = 1);
  ASSAY_FIELD(visit, c, window_bytes, .unit = "bytes", .most = rig::max_operand_window_bytes,
              .multiple = 1024, .told = always, .called = "window");
}

template <typename Mma, typename Visit>
requires std::same_as<std::remove_const_t<Mma>, MmaSyncCase>
void visit_fields(Mma& c, const Visit& visit) {
  ASSAY_FIELD(visit, c, a_fill);
  ASSAY_FIELD(visit, c, b_fill);
  ASSAY_FIELD(visit, c, c_fill);
  ASSAY_FIELD(visit, c, k, .told = elsewhere);
  ASSAY_FIELD(visit, c, known);
  ASSAY_FIELD(visit, c, m, .values = sync_m_extents, .told = elsewhere);
  ASSAY_FIELD(visit, c, registers);
  ASSAY_FIELD(visit, c, sparse);
  ASSAY_FIELD(visit, c, tiles, .least = 1, .most = 256, .told = elsewhere);
  ASSAY_FIELD(visit, c, types);
}

}  // namespace assay
