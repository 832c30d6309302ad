#include "suites/tcgen05_coverage.h"

namespace assay::suites {
namespace {

std::optional<std::string> declines(spec::Arch arch) {
  if (arch == spec::Arch::sm_103) return "sm_103a has no kind::i8";
  return needs_tensor_memory(arch);
}

const Registered i8({
    .name = "mma.dense.i8",
    .claim = "tcgen05.mma on 8-bit integers adds exactly and wraps, or clamps with saturation",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_i8>,
    .spaces = {mma_form_cells(dense_form_cells<gen::mma_i8>)},
    .cover = cover_mma_form,
    .declines = declines,
});

}  // namespace
}  // namespace assay::suites
