#include "suites/tcgen05_coverage.h"

namespace assay::suites {
namespace {

const Registered tf32({
    .name = "mma.dense.tf32",
    .claim = "tcgen05.mma on tf32 gives every bit of D as the adder's rules say, whatever the operands hold",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_tf32>,
    .spaces = {mma_form_cells(dense_form_cells<gen::mma_tf32>)},
    .cover = cover_mma_form,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
