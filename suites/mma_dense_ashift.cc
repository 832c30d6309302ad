#include "suites/tcgen05_coverage.h"

namespace assay::suites {
namespace {

const Registered ashift({
    .name = "mma.dense.ashift",
    .claim = "tcgen05.mma with .ashift multiplies A in tensor memory as it was and leaves its rows one lane "
             "further down in every 32",
    .family = tcgen05_mma_family,
    .share = 0.4,
    .generate = generate_case<gen::make_mma_ashift>,
    .spaces = {mma_form_cells([](spec::Arch arch) { return cells_of_forms(gen::ashift_forms(arch)); })},
    .cover = cover_mma_form,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
