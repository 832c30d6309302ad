// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference/model/warp_mma/case.h"

/// The instruction forms that the probes of wgmma and mma.sync have: what PTX fixes at assembly time.
namespace assay::gen {

/// Operand types as properties divide them.
enum class MmaGroup : uint8_t { f16, bf16, tf32, fp8, i8, i4 };
inline constexpr int mma_group_count = 6;
MmaGroup group_of(const MmaTypes& types);

/// A wgmma case without its operands.
struct WgmmaForm {
  MmaTypes types;
  uint32_t n = 8;
  bool a_in_registers = false, transpose_a = false, transpose_b = false, negate_a = false, negate_b = false;
  bool is_sparse = false;
  uint32_t selector = 0;
  auto operator<=>(const WgmmaForm&) const = default;
};
WgmmaForm form_of(const WgmmaCase& c);
void set_form(const WgmmaForm& form, WgmmaCase& c);

struct MmaSyncForm {
  MmaTypes types;
  uint32_t m = 16, k = 16;
  bool is_sparse = false, is_ordered = false;  ///< .sp, .sp::ordered_metadata
  uint32_t selector = 0;
  auto operator<=>(const MmaSyncForm&) const = default;
};
MmaSyncForm form_of(const MmaSyncCase& c);

/// In a fixed order; none of wgmma with 4-bit integers.
std::span<const WgmmaForm> wgmma_forms(MmaGroup group);
std::span<const WgmmaForm> wgmma_forms();
/// Those of wgmma.sp.
std::span<const WgmmaForm> sparse_wgmma_forms(MmaGroup group);
std::span<const WgmmaForm> sparse_wgmma_forms();
bool has_form(const WgmmaForm& form);
std::span<const MmaSyncForm> mma_sync_forms(MmaGroup group);
std::span<const MmaSyncForm> mma_sync_forms();
/// Those of mma.sp.
std::span<const MmaSyncForm> sparse_mma_sync_forms(MmaGroup group);
std::span<const MmaSyncForm> sparse_mma_sync_forms();
bool has_form(const MmaSyncForm& form);

/// As PTX spells types: "e4m3"; "s32".
std::optional<MmaElement> element_named(std::string_view name);
std::optional<MmaAccumulator> accumulator_named(std::string_view name);

/// "f32.e4m3.e5m2", "s32.u8.s8.satfinite": as PTX spells them, D first.
std::string name_of(const MmaTypes& types);
/// "f32.f16.f16 n64 A/regs B/mn -B"; "s32.s8.u8 m8n8k16"; "f32.tf32.tf32 m16n8k8 .sp, selector 3".
std::string name_of(const WgmmaForm& form);
std::string name_of(const MmaSyncForm& form);

}  // namespace assay::gen
