#include "kernels/forms/families.h"

/// tcgen05.mma as pipelines issue it: operands in shared memory, no collector (PTX ISA, tcgen05.mma).
namespace assay::forms {
namespace {

/// params::MmaKind * 64 + the scales of a row.
constexpr Choice kinds[] = {{".kind::f16", 0 * 64},
                            {".kind::f8f6f4", 2 * 64},
                            {".kind::mxf8f6f4.block_scale.scale_vec::1X", 4 * 64 + 1},
                            {".kind::mxf4.block_scale.scale_vec::2X", 5 * 64 + 2},
                            {".kind::mxf4nvf4.block_scale.scale_vec::2X", 6 * 64 + 2},
                            {".kind::mxf4nvf4.block_scale.scale_vec::4X", 6 * 64 + 4}};
constexpr Axis axes[] = {{"kind", kinds}};

std::string scale_operands(std::string_view, Picks picks) {
  return picks.front()->value % 64 != 0 ? ", [$a_scales], [$b_scales]" : "";
}

constexpr std::string_view operands = "d a:l b:l idesc a_scales b_scales accumulates";
constexpr std::string_view predicate = ".reg .pred accumulate;\nsetp.ne.b32 accumulate, $accumulates, 0;";

}  // namespace

constexpr Family pipeline_mma{
    .name = "pipeline.mma",
    .operands = operands,
    .before = predicate,
    .text = "tcgen05.mma.cta_group::1<kind> [$d], $a, $b, $idesc<scales>, accumulate;",
    .axes = axes,
    .targets = sm_10x,
    .slot = scale_operands};
constexpr Family pipeline_mma_pair{
    .name = "pipeline.mma.pair",
    .operands = operands,
    .before = predicate,
    .text = "tcgen05.mma.cta_group::2<kind> [$d], $a, $b, $idesc<scales>, accumulate;",
    .axes = axes,
    .targets = sm_10x,
    .slot = scale_operands};

}  // namespace assay::forms
