#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace assay::spec {

/// Architectures that rules and readings are keyed by.
enum class Arch : uint8_t { sm_90, sm_100, sm_103 };
inline constexpr int arch_count = 3;

constexpr std::string_view name(Arch arch) {
  constexpr std::string_view names[] = {"sm_90", "sm_100", "sm_103"};
  return names[static_cast<int>(arch)];
}

/// From "sm_90", "sm_90a", "sm_100a", "sm_103a", ...; nothing for any other text.
constexpr std::optional<Arch> parse_arch(std::string_view text) {
  if (text.ends_with('a') || text.ends_with('f')) text.remove_suffix(1);
  for (int i = 0; i < arch_count; ++i)
    if (text == name(static_cast<Arch>(i))) return static_cast<Arch>(i);
  return std::nullopt;
}

}  // namespace assay::spec
