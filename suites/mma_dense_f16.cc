#include "suites/tcgen05_coverage.h"

namespace assay::suites {
namespace {

const Registered f16({
    .name = "mma.dense.f16",
    .claim = "tcgen05.mma on f16 and bf16 gives every bit of D as the adder's rules say, whatever the "
             "operands hold",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_f16>,
    .spaces = {mma_form_cells(dense_form_cells<gen::mma_f16>)},
    .cover = cover_mma_form,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
