#include "suites/tcgen05_scaled_coverage.h"

namespace assay::suites {
namespace {

const Registered scaled({
    .name = "mma.scaled.mxf4",
    .claim = "tcgen05.mma of kind::mxf4 gives every bit of D as the rules of scales and adder say, whatever "
             "operands "
             "and scales hold",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_mxf4>,
    .spaces = mma_scaled_spaces<scaled_forms_of<gen::mma_mxf4>>(),
    .cover = cover_mma_scaled,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
