#include "suites/tcgen05_coverage.h"

namespace assay::suites {
namespace {

const Registered mask({
    .name = "mma.ws.zero_column_mask",
    .claim =
        "columns that a zero-column mask names act as zeros whatever B holds there, all others as they are",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_ws_mask>,
    .spaces = mma_layout_spaces<gen::ws_forms, false>(),
    .cover = cover_mma_layout,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
