#include "generators/tiled_cases.h"
#include "suites/cluster_coverage.h"
#include "suites/property.h"

namespace assay::suites {
namespace {

void generate(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  gen::make_tiled_load_multicast({seed, property, index, arch}, c.emplace<TiledCase>());
}

void cover(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const TiledCase& c = any.as<TiledCase>();
  sink.hit(0, cluster_mask_cell(c.cluster_size, c.cta_mask));
}

const Registered multicast({
    .name = "tma.tiled.load.multicast",
    .claim = "a multicast load gives every CTA of its mask the same bytes at the same offset and a full "
             "signal, and "
             "touches no other CTA",
    .family = tiled_copy_family,
    .share = 1.5,
    .generate = generate,
    .spaces = {cluster_masks()},
    .cover = cover,
});

}  // namespace
}  // namespace assay::suites
