#include "generators/tiled_cases.h"
#include "suites/tma_tiled_coverage.h"

namespace assay::suites {
namespace {

void generate(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  gen::make_tiled_load({seed, property, index, arch}, c.emplace<TiledCase>());
}

const Registered load({
    .name = "tma.tiled.load",
    .claim = "a tiled load writes each element of its box to its place in shared memory, fills what lies "
             "outside the "
             "tensor, signals every byte once and touches nothing else",
    .family = tiled_copy_family,
    .share = 8,
    .generate = generate,
    .spaces = {tiled_cells(TiledDirection::load)},
    .cover = cover_tiled,
});

}  // namespace
}  // namespace assay::suites
