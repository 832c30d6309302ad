#include "suites/tcgen05_scaled_coverage.h"

namespace assay::suites {
namespace {

const Registered scaled({
    .name = "mma.scaled.pair",
    .claim = "block-scaled tcgen05.mma on a pair of CTAs takes the scales of each CTA's rows of A and those "
             "of all "
             "columns of B from that CTA",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_scaled_pair>,
    .spaces = mma_scaled_spaces<gen::scaled_pair_forms>(),
    .cover = cover_mma_scaled,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
