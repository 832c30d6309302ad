#include "suites/tcgen05_coverage.h"

namespace assay::suites {
namespace {

const Registered shift({
    .name = "mma.ws.column_shift",
    .claim = "with a column shift, column j of D takes column j + shift of B, and the mask stays with D",
    .family = tcgen05_mma_family,
    .share = 1,
    .generate = generate_case<gen::make_mma_ws_shift>,
    .spaces = mma_layout_spaces<gen::ws_forms>(),
    .cover = cover_mma_layout,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
