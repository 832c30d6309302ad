// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::spec {

/// Architectures that rules and readings are keyed by.
enum class Arch : uint8_t { sm_90, sm_100, sm_103, sm_120 };
inline constexpr int arch_count = 4;

constexpr std::string_view name(Arch arch) {
  constexpr std::string_view names[] = {"sm_90", "sm_100", "sm_103", "sm_120"};
  return names[static_cast<int>(arch)];
}

/// Whether it has tensor memory, and copies as tcgen05 wants them: packed types into shared::cluster, four
/// rows, along W alone, .cta_group. sm_120 has none of them, or for shared::cta alone.
constexpr bool is_sm_10x(Arch arch) {
  return arch == Arch::sm_100 || arch == Arch::sm_103;
}

/// Whether it is known what its driver's encoders refuse and write: of sm_120 nobody has published or
/// measured it.
constexpr bool is_encoder_known(Arch arch) {
  return arch != Arch::sm_120;
}

/// From "sm_90", "sm_90a", "sm_100a", "sm_103a", ...; nothing for any other text.
constexpr std::optional<Arch> parse_arch(std::string_view text) {
  if (text.ends_with('a') || text.ends_with('f')) text.remove_suffix(1);
  for (int i = 0; i < arch_count; ++i)
    if (text == name(static_cast<Arch>(i))) return static_cast<Arch>(i);
  return std::nullopt;
}

}  // namespace assay::spec
