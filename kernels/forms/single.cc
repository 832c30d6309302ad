#include "kernels/forms/families.h"

/// Instructions that stand beside others in kernels for all targets, but that some targets lack.
namespace assay::forms {
namespace {

constexpr Choice modes[] = {{"4", 4, sm_103a}};
constexpr Axis mode_axis[] = {{"mode", modes}};

}  // namespace

/// PTX ISA, tensormap.replace: swizzle mode 4 is of sm_103a alone.
constexpr Family swizzle_96b{.name = "tensormap.replace.swizzle_96b",
                             .operands = "map:l",
                             .text = "tensormap.replace.tile.swizzle_mode.global.b1024.b32 [$map], <mode>;",
                             .axes = mode_axis};

}  // namespace assay::forms
