#include "suites/tcgen05_scaled_coverage.h"

namespace assay::suites {
namespace {

const Registered scaled({
    .name = "mma.scaled.k96",
    .claim = "tcgen05.mma of 96 products reads 48 bytes of a row, past its end at the absolute address, and "
             "scales "
             "that run over into the next group",
    .family = tcgen05_mma_family,
    .share = 2,
    .generate = generate_case<gen::make_mma_scaled_k96>,
    .spaces = mma_scaled_spaces<gen::scaled_k96_forms>(),
    .cover = cover_mma_scaled,
    .declines = needs_k_of_96,
});

}  // namespace
}  // namespace assay::suites
