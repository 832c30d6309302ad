#include "kernels/forms/families.h"

/// Instructions that stand beside others in kernels for all targets, but that some targets lack.
namespace assay::forms {
namespace {

constexpr Choice modes[] = {{"4", 4, sm_103a}};
constexpr Axis mode_axis[] = {{"mode", modes}};
constexpr Choice commit_masks[] = {{"", 0, sm_10x}, {".multicast::cluster", 1, sm_10x}};
constexpr Axis commit_axes[] = {{"multicast", commit_masks}};

std::string mask_of_commit(std::string_view, Picks picks) {
  return picks[0]->value != 0 ? ", $mask" : "";
}

}  // namespace

/// PTX ISA, tensormap.replace: swizzle mode 4 is of sm_103a alone.
constexpr Family swizzle_96b{.name = "tensormap.replace.swizzle_96b",
                             .operands = "map:l",
                             .text = "tensormap.replace.tile.swizzle_mode.global.b1024.b32 [$map], <mode>;",
                             .axes = mode_axis};
/// PTX ISA, tcgen05.commit. A kernel has instructions of one .cta_group: the pipelines of pairs have the
/// other.
constexpr Family tcgen05_commit{
    .name = "tcgen05.commit",
    .operands = "bar mask:h",
    .text =
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster<multicast>.b64 "
        "[$bar]<mask>;",
    .axes = commit_axes,
    .slot = mask_of_commit};

}  // namespace assay::forms
