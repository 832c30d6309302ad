#include "suites/tcgen05_coverage.h"

namespace assay::suites {
namespace {

const Registered pair({
    .name = "mma.dense.pair",
    .claim = "tcgen05.mma on a pair of CTAs takes each CTA's rows of A and half of B, and gives each CTA its "
             "rows of D",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_pair>,
    .spaces = mma_layout_spaces<gen::pair_forms>(),
    .cover = cover_mma_layout,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
