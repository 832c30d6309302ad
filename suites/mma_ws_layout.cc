#include "suites/tcgen05_coverage.h"

namespace assay::suites {
namespace {

const Registered layout({
    .name = "mma.ws.layout",
    .claim = "tcgen05.mma.ws reads A and B where their descriptors say, and folds D over groups of lanes",
    .family = tcgen05_mma_family,
    .share = 1,
    .generate = generate_case<gen::make_mma_ws_layout>,
    .spaces = mma_layout_spaces<gen::ws_forms>(),
    .cover = cover_mma_layout,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
