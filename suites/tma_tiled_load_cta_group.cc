#include "generators/tiled_cases.h"
#include "suites/cluster_coverage.h"
#include "suites/generate_case.h"
#include "suites/property.h"

namespace assay::suites {
namespace {

std::optional<std::string> needs_group(spec::Arch arch) {
  if (arch != spec::Arch::sm_90) return std::nullopt;
  return ".cta_group needs compute capability 10.0";
}

void cover(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const TiledCase& c = any.as<TiledCase>();
  sink.hit(0, cta_pair_cell(c.cta_group, c.issuer_rank, c.peer_barrier, c.cta_mask));
}

const Registered cta_group({
    .name = "tma.tiled.load.cta_group",
    .claim = "with .cta_group::2 the signal for each destination of a tiled load goes to the CTA of its pair "
             "that has the parity of the mbarrier's CTA, with .cta_group::1 to the destination",
    .family = tiled_cta_group_family,
    .share = 0.5,
    .generate = generate_case<gen::make_tiled_load_cta_group>,
    .spaces = {cta_pairs()},
    .cover = cover,
    .declines = needs_group,
});

}  // namespace
}  // namespace assay::suites
