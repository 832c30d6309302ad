#include "kernels/forms/families.h"

/// Instructions that stand beside others in kernels for all targets, but that some targets lack.
namespace assay::forms {
namespace {

constexpr Choice modes[] = {{"4", 4, sm_103a}};
constexpr Axis mode_axis[] = {{"mode", modes}};
constexpr Choice masked[] = {{".cp_mask", 1, from_sm_100a}};
constexpr Axis masked_axis[] = {{"masked", masked}};

}  // namespace

/// PTX ISA, tensormap.replace: swizzle mode 4 is of sm_103a alone.
constexpr Family swizzle_96b{.name = "tensormap.replace.swizzle_96b",
                             .operands = "map:l",
                             .text = "tensormap.replace.tile.swizzle_mode.global.b1024.b32 [$map], <mode>;",
                             .axes = mode_axis};
/// PTX ISA, cp.async.bulk: .cp_mask needs sm_100.
constexpr Family cp_mask{
    .name = "cp.async.bulk.cp_mask",
    .operands = "to:l from size mask:h",
    .text = "cp.async.bulk.global.shared::cta.bulk_group<masked> [$to], [$from], $size, $mask;",
    .axes = masked_axis};

}  // namespace assay::forms
