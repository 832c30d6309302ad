// SPDX-License-Identifier: Apache-2.0
#include "kernels/forms/families.h"
#include "kernels/forms/tcgen05_sparsity.h"

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
constexpr Axis axes[] = {{"kind", kinds}, {"sparsity", sparsities}};

/// Metadata lie where scales of A do.
std::string slot(std::string_view name, Picks picks) {
  if (name == "metadata") return picks.back()->value != 0 ? ", [$a_scales]" : "";
  return picks.front()->value % 64 != 0 ? ", [$a_scales], [$b_scales]" : "";
}
bool exists(Picks picks) {
  return picks.back()->value == 0 || picks.front()->value == 0;
}

constexpr std::string_view operands = "d a:l b:l idesc a_scales b_scales accumulates";
constexpr std::string_view predicate = ".reg .pred accumulate;\nsetp.ne.b32 accumulate, $accumulates, 0;";

}  // namespace

constexpr Family pipeline_mma{
    .name = "pipeline.mma",
    .operands = operands,
    .before = predicate,
    .text = "tcgen05.mma<sparsity>.cta_group::1<kind> [$d], $a, $b<metadata>, $idesc<scales>, accumulate;",
    .axes = axes,
    .targets = with_tcgen05,
    .exists = exists,
    .slot = slot};
constexpr Family pipeline_mma_pair{
    .name = "pipeline.mma.pair",
    .operands = operands,
    .before = predicate,
    .text = "tcgen05.mma<sparsity>.cta_group::2<kind> [$d], $a, $b<metadata>, $idesc<scales>, accumulate;",
    .axes = axes,
    .targets = with_tcgen05,
    .exists = exists,
    .slot = slot};

}  // namespace assay::forms
