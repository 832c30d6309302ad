// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::spec {

/// Architectures that rules and readings are keyed by. `architectures` has a row for each, in this order.
enum class Arch : uint8_t { sm_90, sm_100, sm_103, sm_107, sm_110, sm_120 };

/// The PTX version that the oldest of them came with, 80 for 8.0.
inline constexpr uint8_t first_ptx = 80;

/// What an architecture is called and which mechanisms it has: by the rule, the PTX ISA 9.0 section or the
/// ptxas answer that a column names. Rules, generators, forms of instructions and kernels ask the row, never
/// the name; cmake/kernel_targets.cmake reads it too. The emulator has a table of its own.
struct Architecture {
  std::string_view target;       ///< of kernels and of emulated devices; without its suffix the name
  uint32_t shared_bytes;         ///< most that a CTA may have (CUDA C++ programming guide)
  uint8_t ptx = first_ptx;       ///< the first PTX version that has the target (PTX ISA, .target; ptxas)
  bool is_measured = false;      ///< by us, on an H200
  bool is_encoder_known = true;  ///< whether anybody published what its driver's encoders write
  bool has_wgmma = false;        ///< (ptx, wgmma)
  bool has_tcgen05 = false;      ///< tensor memory; copies of packed types, four rows, along W, .cta_group
  bool has_tcgen05_i8 = false;   ///< IDESC-R18
  bool has_scale_d = false;      ///< (ptx, tcgen05.mma, scale-input-d)
  bool has_k96 = false;          ///< IDESC-R17
  bool has_absolute_leading = false;  ///< SMEM-R04
  bool has_ld_red = false;            ///< (ptx, tcgen05.ld, .red)
  bool has_swizzle_96B = false;       ///< V-44
  bool halves_b6_stores = false;      ///< TILE-R52
  bool has_rs = false;                ///< (ptx, cvt, .rs)
  bool has_mma_kinds = false;         ///< KIND-R01, and 8-bit floats are multiplied as they are
  bool has_32_ctas = false;           ///< masks of 32 CTAs (PTX ISA 9.4, .multicast::cluster::32b)
};
inline constexpr std::array architectures{
    Architecture{
        .target = "sm_90a",
        .shared_bytes = 227 << 10,
        .is_measured = true,
        .has_wgmma = true,
    },
    Architecture{
        .target = "sm_100a",
        .shared_bytes = 227 << 10,
        .ptx = 86,
        .has_tcgen05 = true,
        .has_tcgen05_i8 = true,
        .has_scale_d = true,
        .has_rs = true,
    },
    Architecture{
        .target = "sm_103a",
        .shared_bytes = 227 << 10,
        .ptx = 88,
        .has_tcgen05 = true,
        .has_scale_d = true,
        .has_k96 = true,
        .has_absolute_leading = true,
        .has_ld_red = true,
        .has_swizzle_96B = true,
        .halves_b6_stores = true,
        .has_rs = true,
    },
    Architecture{
        .target = "sm_107a",
        .shared_bytes = 327 << 10,
        .ptx = 94,
        .is_encoder_known = false,
        .has_tcgen05 = true,
        .has_scale_d = true,
        .has_ld_red = true,
        .has_swizzle_96B = true,
        .has_rs = true,
        .has_32_ctas = true,
    },
    Architecture{
        .target = "sm_110a",
        .shared_bytes = 227 << 10,
        .ptx = 90,
        .is_encoder_known = false,
        .has_tcgen05 = true,
        .has_tcgen05_i8 = true,
        .has_ld_red = true,
    },
    Architecture{
        .target = "sm_120a",
        .shared_bytes = 99 << 10,
        .ptx = 87,
        .is_encoder_known = false,
        .has_mma_kinds = true,
    },
};
inline constexpr int arch_count = static_cast<int>(architectures.size());
inline constexpr auto all_archs = [] {
  std::array<Arch, arch_count> all{};
  for (int i = 0; i < arch_count; ++i) all[i] = static_cast<Arch>(i);
  return all;
}();

constexpr const Architecture& row_of(Arch arch) {
  return architectures[static_cast<size_t>(arch)];
}
/// "sm_90".
constexpr std::string_view name(Arch arch) {
  const std::string_view target = row_of(arch).target;
  return target.substr(0, target.size() - 1);
}
/// Its compute capability: 90 for 9.0.
constexpr int capability(Arch arch) {
  int number = 0;
  for (const char digit : name(arch).substr(3)) number = 10 * number + (digit - '0');
  return number;
}
constexpr bool has_tcgen05(Arch arch) {
  return row_of(arch).has_tcgen05;
}

using Mechanism = bool Architecture::*;
/// Whether an architecture has a mechanism; nothing is known of those without a row.
constexpr bool has(std::optional<Arch> arch, Mechanism mechanism) {
  return arch && row_of(*arch).*mechanism;
}
/// The first architecture that has the mechanism.
constexpr Arch first_with(Mechanism mechanism) {
  for (const Arch arch : all_archs)
    if (has(arch, mechanism)) return arch;
  return Arch{};
}

/// One whose tensor maps may have all that any architecture's may.
inline constexpr Arch arch_with_every_map = first_with(&Architecture::has_swizzle_96B);

/// A set of architectures, in the order of Arch.
using OnArch = std::array<bool, arch_count>;
constexpr OnArch where(Mechanism mechanism) {
  OnArch on{};
  for (int i = 0; i < arch_count; ++i) on[i] = architectures[i].*mechanism;
  return on;
}
/// Those of a compute capability from `least` on.
constexpr OnArch from(int least) {
  OnArch on{};
  for (int i = 0; i < arch_count; ++i) on[i] = capability(static_cast<Arch>(i)) >= least;
  return on;
}

/// From "sm_90", "sm_90a", "sm_100a", "sm_103a", ...; nothing for any other text.
constexpr std::optional<Arch> parse_arch(std::string_view text) {
  if (text.ends_with('a') || text.ends_with('f')) text.remove_suffix(1);
  for (const Arch arch : all_archs)
    if (text == name(arch)) return arch;
  return std::nullopt;
}
/// From a compute capability, 90 for 9.0.
constexpr std::optional<Arch> find_arch(int number) {
  for (const Arch arch : all_archs)
    if (number == capability(arch)) return arch;
  return std::nullopt;
}

/// Texts of an architecture: "sm_90", "sm_90a" and "9.0".
std::string name_text(Arch);
std::string target_text(Arch);
std::string capability_text(Arch);
/// The texts of a set, such as "9.0, 10.0 or 10.3"; `last` stands before the last of several.
std::string listed(std::string (*text)(Arch), const OnArch& on = from(0), std::string_view between = ", ",
                   std::string_view last = " or ");
/// "requires compute capability 10.0 or 10.3": those that have the mechanism.
std::string requires_capability(Mechanism mechanism);

}  // namespace assay::spec
