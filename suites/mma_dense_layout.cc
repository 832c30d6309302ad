#include "suites/tcgen05_coverage.h"

namespace assay::suites {
namespace {

const Registered layout({
    .name = "mma.dense.layout",
    .claim = "tcgen05.mma reads A and B where their descriptors say, and puts D where its shape says and "
             "nowhere else",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_layout>,
    .spaces = mma_layout_spaces<gen::plain_forms>(),
    .cover = cover_mma_layout,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
