// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/families.h"

/// Instructions that stand beside others in kernels for all targets, but that some targets lack.
namespace assay::forms {
namespace {

constexpr Choice modes[] = {{"4", 4, with_swizzle_96B}};
constexpr Axis mode_axis[] = {{"mode", modes}};
constexpr Choice commit_masks[] = {{"", 0, with_tcgen05}, {".multicast::cluster", 1, with_tcgen05}};
constexpr Choice commit_spaces[] = {{".shared::cluster", 0, with_tcgen05}, {"", 1, with_tcgen05}};
constexpr Axis commit_axes[] = {{"multicast", commit_masks}, {"space", commit_spaces}};

std::string slot_of_commit(std::string_view name, Picks picks) {
  const bool is_generic = picks[1]->value != 0;
  if (name == "mask") return picks[0]->value != 0 ? ", $mask" : "";
  if (name == "address") return is_generic ? "w0" : "$bar";
  return is_generic ? "cvt.u64.u32 w0, $bar; cvta.shared::cluster.u64 w0, w0; " : "";
}

}  // namespace

/// PTX ISA, tensormap.replace: swizzle mode 4 is of sm_103a, and of sm_107a in PTX 9.4.
constexpr Family swizzle_96b{.name = "tensormap.replace.swizzle_96b",
                             .operands = "map:l",
                             .text = "tensormap.replace.tile.swizzle_mode.global.b1024.b32 [$map], <mode>;",
                             .axes = mode_axis,
                             .ptx = 88};
/// PTX ISA, tcgen05.commit; without a state space it takes a generic address. A kernel has instructions of
/// one .cta_group: the pipelines of pairs have the other.
constexpr Family tcgen05_commit{
    .name = "tcgen05.commit",
    .operands = "bar mask:h",
    .before = ".reg .b64 w0;",
    .text =
        "<convert>tcgen05.commit.cta_group::1.mbarrier::arrive::one<space><multicast>.b64 [<address>]<mask>;",
    .axes = commit_axes,
    .slot = slot_of_commit};

}  // namespace assay::forms
