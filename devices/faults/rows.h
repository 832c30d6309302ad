// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

#include "devices/emulator/fault.h"

/// What rows of several engines say alike.
namespace assay::faults {

/// Where a row shows that does not show on the device that is its engine's default.
inline constexpr emulator::FaultNotes on_sm_100{.device = "sm_100a"}, on_sm_120{.device = "sm_120a"};
/// Where a row shows that spoils what only some targets have.
inline constexpr emulator::FaultNotes with_96{.mechanism = &emulator::TargetFacts::multiplies_96},
    with_absolute_leading{.mechanism = &emulator::TargetFacts::has_absolute_leading},
    with_reducing_loads{.mechanism = &emulator::TargetFacts::reduces_loads},
    with_96B_swizzle{.mechanism = &emulator::TargetFacts::has_96B_swizzle},
    with_relaxed_stores{.mechanism = &emulator::TargetFacts::relaxes_b6_stores},
    with_bytes{.mechanism = &emulator::TargetFacts::multiplies_bytes};
/// The same of what only a device that puts everything off shows.
inline constexpr emulator::FaultNotes on_lazy_sm_90{.device = "sm_90a,schedule=lazy"},
    on_lazy_sm_100{.device = "sm_100a,schedule=lazy"};
/// Of what only a device that watches its kernel shows, and of what takes another order of events.
inline constexpr emulator::FaultNotes on_strict_sm_100{.device = "sm_100a,strict"},
    at_random_on_sm_100{.device = "sm_100a,schedule=random:1"},
    at_random_7_on_sm_100{.device = "sm_100a,schedule=random:7"};
/// Of what few cases show, and of what later architectures lack or nobody has seen there.
inline constexpr emulator::FaultNotes rarely{.rare = true}, alone{.alone = true},
    rare_on_sm_90_alone{.device = "sm_90a", .rare = true, .alone = true};

/// A row of the fact sheets, or what else `rule` of Steps is asked about, as an argument of a template.
template <size_t size>
struct RuleId {
  char text[size]{};
  constexpr RuleId(const char (&id)[size]) { std::copy_n(id, size, text); }
};

/// `rule` of Steps where that rule is not checked.
template <RuleId id>
bool unchecked(std::string_view rule, bool holds) {
  return holds || rule == id.text;
}

}  // namespace assay::faults
