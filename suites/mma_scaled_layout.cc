#include "suites/tcgen05_scaled_coverage.h"

namespace assay::suites {
namespace {

const Registered scaled({
    .name = "mma.scaled.layout",
    .claim = "block-scaled tcgen05.mma reads operands and scale factors where descriptors, scale ids and "
             "layouts say",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_scaled_layout>,
    .spaces = mma_scaled_spaces<gen::scaled_plain_forms>(),
    .cover = cover_mma_scaled,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
