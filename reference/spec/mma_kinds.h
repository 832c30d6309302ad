// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "reference/spec/arch.h"
#include "reference/spec/mma_kind.h"

namespace assay::spec {

/// What follows .block_scale in an instruction, by the number that cases and records have for it; none of
/// them leaves the vector of scales to the kind.
struct ScaleQualifier {
  uint8_t number;
  std::string_view text;  ///< PTX
  int block;              ///< elements of K with one scale; 0: that of the kind
};
inline constexpr ScaleQualifier scale_qualifiers[] = {
    {0, "", 0},           {1, ".scale_vec::1X", 32}, {2, ".scale_vec::2X", 32}, {4, ".scale_vec::4X", 16},
    {16, ".block16", 16}, {32, ".block32", 32},
};

/// What a .kind of tcgen05.mma is (ptx, tcgen05.mma, .kind; tcgen05, instruction descriptor). The codes of
/// its types are those of its descriptor (instr_desc.h). Nothing but this row says which kinds are alike.
struct MmaKindRow {
  MmaKind kind;
  std::string_view name;
  int k;                   ///< dense products per instruction, sparse twice; a packed kind also has 96
  bool is_mx = false;      ///< has .block_scale, another layout of the descriptor, and D of f32
  bool is_packed = false;  ///< elements of 4 bits alone, two in a byte
  bool has_bytes = false;  ///< elements of 8, 6 and 4 bits, one in a byte
  bool may_transpose = true;
  bool is_integer = false;                   ///< saturates, and does not negate
  bool scales_d = false;                     ///< scale-input-d, and a sparsity selector
  bool may_be_ue4m3 = false;                 ///< the scales of blocks of 16
  std::span<const uint8_t> qualifiers = {};  ///< of block scaling, in the order in which forms have them
  Mechanism mechanism = &Architecture::has_tcgen05;  ///< what an architecture must have

  constexpr bool takes(uint32_t qualifier) const {
    return is_mx ? std::find(qualifiers.begin(), qualifiers.end(), qualifier) != qualifiers.end()
                 : qualifier == 0;
  }
};
inline constexpr uint8_t by_1[] = {0, 1, 32}, by_2[] = {0, 2, 32}, by_2_or_4[] = {2, 32, 4, 16};
inline constexpr std::array mma_kinds{
    MmaKindRow{.kind = MmaKind::f16, .name = "f16", .k = 16, .scales_d = true},
    MmaKindRow{.kind = MmaKind::tf32, .name = "tf32", .k = 8, .scales_d = true},
    MmaKindRow{.kind = MmaKind::f8f6f4, .name = "f8f6f4", .k = 32, .has_bytes = true},
    MmaKindRow{.kind = MmaKind::i8,
               .name = "i8",
               .k = 32,
               .is_integer = true,
               .mechanism = &Architecture::has_tcgen05_i8},
    MmaKindRow{.kind = MmaKind::mxf8f6f4,
               .name = "mxf8f6f4",
               .k = 32,
               .is_mx = true,
               .has_bytes = true,
               .qualifiers = by_1},
    MmaKindRow{.kind = MmaKind::mxf4,
               .name = "mxf4",
               .k = 64,
               .is_mx = true,
               .is_packed = true,
               .may_transpose = false,
               .qualifiers = by_2},
    MmaKindRow{.kind = MmaKind::mxf4nvf4,
               .name = "mxf4nvf4",
               .k = 64,
               .is_mx = true,
               .is_packed = true,
               .may_transpose = false,
               .may_be_ue4m3 = true,
               .qualifiers = by_2_or_4},
};
inline constexpr int mma_kind_count = static_cast<int>(mma_kinds.size());
static_assert(std::all_of(mma_kinds.begin(), mma_kinds.end(), [](const MmaKindRow& row) {
  return &row - mma_kinds.data() == static_cast<int>(row.kind);
}));

constexpr const MmaKindRow& row_of(MmaKind kind) {
  return mma_kinds[static_cast<size_t>(kind)];
}
constexpr const MmaKindRow* find_mma_kind(std::string_view name) {
  for (const MmaKindRow& row : mma_kinds)
    if (row.name == name) return &row;
  return nullptr;
}
/// A case file has a kind by its number, from 0 to one less than this.
constexpr uint32_t count_of(MmaKind) {
  return mma_kind_count;
}
constexpr uint32_t number_of(MmaKind kind) {
  return static_cast<uint32_t>(kind);
}
/// Of two architectures with tcgen05, one may lack a kind.
constexpr bool lacks_kind(Arch arch, MmaKind kind) {
  const Mechanism needs = row_of(kind).mechanism;
  return needs != &Architecture::has_tcgen05 && !has(arch, needs);
}
/// Block-scaled kinds; `scaled_number_of` counts them alone.
constexpr bool is_scaled(MmaKind kind) {
  return row_of(kind).is_mx;
}
inline constexpr auto scaled_kinds = [] {
  constexpr auto is_mx = [](const MmaKindRow& row) { return row.is_mx; };
  std::array<MmaKind, std::count_if(mma_kinds.begin(), mma_kinds.end(), is_mx)> made{};
  size_t count = 0;
  for (const MmaKindRow& row : mma_kinds)
    if (row.is_mx) made[count++] = row.kind;
  return made;
}();
constexpr uint32_t scaled_number_of(MmaKind kind) {
  return static_cast<uint32_t>(std::find(scaled_kinds.begin(), scaled_kinds.end(), kind) -
                               scaled_kinds.begin());
}

}  // namespace assay::spec
