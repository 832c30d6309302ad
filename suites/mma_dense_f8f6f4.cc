#include "suites/tcgen05_coverage.h"

namespace assay::suites {
namespace {

const Registered f8f6f4({
    .name = "mma.dense.f8f6f4",
    .claim = "tcgen05.mma on 8-, 6- and 4-bit floating point gives every bit of D as the adder's rules say",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_f8f6f4>,
    .spaces = {mma_form_cells(dense_form_cells<gen::mma_f8f6f4>)},
    .cover = cover_mma_form,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
