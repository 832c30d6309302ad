#include "generators/tiled_cases.h"
#include "suites/tma_tiled_coverage.h"

namespace assay::suites {
namespace {

void generate(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  gen::make_tiled_store({seed, property, index, arch}, c.emplace<TiledCase>());
}

const Registered store({
    .name = "tma.tiled.store",
    .claim =
        "a tiled store writes the elements of its box that lie in the tensor, in whole 16-byte pieces along "
        "dimension 0, and no other byte of global memory",
    .family = tiled_copy_family,
    .share = 6,
    .generate = generate,
    .spaces = {tiled_cells(TiledDirection::store)},
    .cover = cover_tiled,
});

}  // namespace
}  // namespace assay::suites
