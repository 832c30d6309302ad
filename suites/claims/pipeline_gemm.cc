#include <numeric>

#include "generators/gemm_cases.h"
#include "suites/operations/tcgen05_mma/tcgen05_coverage.h"

namespace assay::suites {
namespace {

template <void (*make)(const gen::CaseId&, GemmCase&)>
void generate(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  make({seed, property, index, arch}, c.emplace<GemmCase>());
}

template <uint32_t count>
std::vector<uint32_t> all_cells(spec::Arch) {
  std::vector<uint32_t> cells(count);
  std::iota(cells.begin(), cells.end(), 0u);
  return cells;
}

void cover(const Case& c, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  sink.hit(0, gen::gemm_cell(c.as<GemmCase>()));
}

const Registered gemm({
    .name = "pipeline.gemm",
    .claim = "the production pipeline gives every element of a product bit for bit as the chain of its "
             "instructions, "
             "at any M, N and K, and writes nothing else",
    .family = gemm_family,
    .share = 1,
    .generate = generate<gen::make_gemm>,
    .spaces = {{"type x CTAs x columns of a tile x tails", gen::gemm_cell_count,
                [](uint32_t cell, spec::Arch) { return gen::gemm_cell_name(cell); },
                all_cells<gen::gemm_cell_count>}},
    .cover = cover,
    .declines = needs_tensor_memory,
});

const Registered scaled({
    .name = "pipeline.scaled",
    .claim =
        "the production pipeline brings scale factors by TMA and tcgen05.cp.32x128b.warpx4 and gives every "
        "element of a block-scaled product bit for bit as the chain of its instructions, at any M, N and "
        "K, and writes nothing else",
    .family = gemm_family,
    .share = 1,
    .generate = generate<gen::make_scaled_gemm>,
    .spaces = {{"kind and scales x CTAs x columns of a tile x tails", gen::scaled_gemm_cell_count,
                [](uint32_t cell, spec::Arch) { return gen::scaled_gemm_cell_name(cell); },
                all_cells<gen::scaled_gemm_cell_count>}},
    .cover = cover,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
