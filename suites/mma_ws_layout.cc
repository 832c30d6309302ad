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
    .rules = {"SMEM-R11", "SMEM-R12", "SMEM-R13", "SMEM-R14", "SMEM-R15", "SMEM-R16", "SMEM-R17", "SMEM-R18",
              "TMEM-R04", "TMEM-R05", "TMEM-R06", "TMEM-R07"},
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
