#include <algorithm>

#include "generators/tiled_cases.h"
#include "suites/tma_tiled_coverage.h"

namespace assay::suites {
namespace {

void generate(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  gen::make_tiled_load_multicast({seed, property, index, arch}, c.emplace<TiledCase>());
}

/// Cluster size and mask: every CTA that may receive, alone and together with others, and nobody.
uint32_t cell_of(const TiledCase& c) {
  const uint32_t ranks = (1u << std::min(c.cluster_size, 8u)) - 1;  // a file may name more
  return (c.cluster_size == 2 ? 0u : c.cluster_size == 4 ? 256u : 512u) + (c.cta_mask & ranks);
}

CellSpace clusters() {
  return {"cluster x mask", 768,
          [](uint32_t cell, spec::Arch) {
            const uint32_t size = 2u << (cell / 256);
            std::string mask;
            for (uint32_t rank = 0; rank < size; ++rank) mask += (cell % 256) >> rank & 1 ? '1' : '0';
            return std::to_string(size) + "/" + mask;
          },
          [](spec::Arch) {
            std::vector<uint32_t> cells;
            for (uint32_t k = 0; k < 3; ++k)
              for (uint32_t mask = 0; mask < 1u << (2u << k); ++mask) cells.push_back(256 * k + mask);
            return cells;
          }};
}

void cover(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  sink.hit(0, cell_of(any.as<TiledCase>()));
}

const Registered multicast({
    .name = "tma.tiled.load.multicast",
    .claim = "a multicast load gives every CTA of its mask the same bytes at the same offset and a full "
             "signal, and "
             "touches no other CTA",
    .family = tiled_copy_family,
    .share = 1.5,
    .generate = generate,
    .spaces = {clusters()},
    .cover = cover,
});

}  // namespace
}  // namespace assay::suites
