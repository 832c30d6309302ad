// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <numeric>
#include <utility>

#include "generators/pipeline/gemm_cases.h"
#include "reference/model/pipeline/gemm.h"
#include "suites/mma/coverage.h"
#include "suites/pipeline/family.h"

namespace assay::suites {
namespace {

template <void (*make)(const gen::CaseId&, GemmCase&)>
void gemm_generate(uint64_t seed, std::string_view property, uint64_t index, spec::Arch arch, Case& c) {
  make({seed, property, index, arch}, c.emplace<GemmCase>());
}

CellSpace space(const char* name, uint32_t count,
                std::function<std::string(uint32_t cell, spec::Arch)> cell_name) {
  const auto all = [count](spec::Arch) {
    std::vector<uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), 0u);
    return numbers;
  };
  return {name, count, std::move(cell_name), all};
}
template <gen::GemmCells cells>
CellSpace space_of(const char* name) {
  return space(name, gen::gemm_cell_count(cells),
               [](uint32_t cell, spec::Arch) { return gen::gemm_cell_name(cells, cell); });
}
CellSpace ways() {
  return space("CTAs x scheduler x epilogue", gen::gemm_ways,
               [](uint32_t way, spec::Arch) { return gen::gemm_way_name(way); });
}

CellSpace gemm_pairs() {
  return space("type of A x type of B x CTAs", gen::gemm_pair_cells,
               [](uint32_t cell, spec::Arch) { return gen::gemm_pair_name(cell); });
}

void gemm_cover(const Case& c, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  sink.hit(0, gen::gemm_cell(c.as<GemmCase>()));
  sink.hit(1, gen::gemm_way(c.as<GemmCase>()));
}
void gemm_cover_pairs(const Case& c, const Expected& e, uint64_t seed, spec::Arch arch, CoverageSink& sink) {
  gemm_cover(c, e, seed, arch, sink);
  if (model::has_element_types(c.as<GemmCase>())) sink.hit(2, gen::gemm_pair(c.as<GemmCase>()));
}

const Registered gemm({
    .name = "pipeline.gemm",
    .claim =
        "the production pipeline computes every element of a product bit for bit as its sequence of "
        "instructions defines it, for any M, N and K and every pair of f8f6f4 types (TMA unpacks those of 4 "
        "and 6 bits: b4x16_p64, b6x16_p32), with tiles assigned statically or by clusterlaunchcontrol, each "
        "computed once, with the result stored by TMA or added to C in f32; it writes nothing else",
    .family = gemm_family,
    .share = 1,
    .generate = gemm_generate<gen::make_gemm>,
    .spaces = {space_of<gen::GemmCells::plain>("type x CTAs x columns of a tile x tails"), ways(),
               gemm_pairs()},
    .cover = gemm_cover_pairs,
    .declines = needs_tensor_memory,
});

const Registered scaled({
    .name = "pipeline.scaled",
    .claim = "the production pipeline loads scale factors by TMA and tcgen05.cp.32x128b.warpx4 and computes "
             "every element of a block-scaled product bit for bit as its sequence of instructions defines "
             "it, for any M, N and K and every pair of mxf8f6f4 types, however tiles are assigned, stored or "
             "added to C; it writes nothing else",
    .family = gemm_family,
    .share = 1,
    .generate = gemm_generate<gen::make_scaled_gemm>,
    .spaces = {space_of<gen::GemmCells::scaled>("kind and scales x CTAs x columns of a tile x tails"), ways(),
               gemm_pairs()},
    .cover = gemm_cover_pairs,
    .declines = needs_tensor_memory,
});

const Registered sparse({
    .name = "pipeline.sparse",
    .claim = "the production pipeline loads the metadata of a sparse A by TMA and tcgen05.cp.128x128b and "
             "computes every element of a product bit for bit as its sequence of instructions defines it, "
             "for any M, N and K, however tiles are assigned, stored or added to C; it writes nothing else",
    .family = gemm_family,
    .share = 1,
    .generate = gemm_generate<gen::make_sparse_gemm>,
    .spaces = {space_of<gen::GemmCells::sparse>("type x CTAs x columns of a tile x tails"), ways()},
    .cover = gemm_cover,
    .declines = needs_tensor_memory,
});

const Registered grouped({
    .name = "pipeline.grouped",
    .claim = "the production pipeline computes a group of products in one launch, rewriting its tensor maps "
             "for each by tensormap.replace and publishing them by tensormap.cp_fenceproxy, with tiles "
             "assigned statically or by clusterlaunchcontrol; every element is bit for bit as its sequence "
             "of instructions defines it, stored or added to C, and it writes nothing else",
    .family = gemm_family,
    .share = 1,
    .generate = gemm_generate<gen::make_grouped_gemm>,
    .spaces = {space_of<gen::GemmCells::grouped>("type x CTAs x tails"), ways()},
    .cover = gemm_cover,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
