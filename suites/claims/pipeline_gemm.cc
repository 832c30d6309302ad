#include <numeric>

#include "generators/gemm_cases.h"
#include "suites/operations/tcgen05_mma/tcgen05_coverage.h"

namespace assay::suites {
namespace {

void generate(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  gen::make_gemm({seed, property, index, arch}, c.emplace<GemmCase>());
}

std::vector<uint32_t> all_cells(spec::Arch) {
  std::vector<uint32_t> cells(gen::gemm_cell_count);
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
    .generate = generate,
    .spaces = {{"type x CTAs x columns of a tile x tails", gen::gemm_cell_count,
                [](uint32_t cell, spec::Arch) { return gen::gemm_cell_name(cell); }, all_cells}},
    .cover = cover,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
