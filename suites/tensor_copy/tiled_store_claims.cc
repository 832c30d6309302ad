// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/tiled_cases.h"
#include "suites/run/generate.h"
#include "suites/tensor_copy/tiled_coverage.h"
#include "suites/tensor_copy/tiled_family.h"

namespace assay::suites::claims_tma_tiled_store {
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

const Registered faults({
    .name = "tma.tiled.store.faults",
    .claim = "a tiled store that breaks one run-time rule, a negative start among them, faults with the code "
             "of that rule, and one that breaks none ends well",
    .family = tiled_copy_family,
    .share = 0.4,
    .generate = generate_faults<gen::make_tiled_store_fault, gen::make_tiled_store, tiled_copy_family,
                                model::End::illegal_instruction, model::End::misaligned_address>,
    .spaces = {expected_ends([](spec::Arch arch) {
      std::vector<uint32_t> ends =
          of_ends({model::End::done, model::End::illegal_instruction, model::End::misaligned_address});
      // A store through a type that is for loads alone (TILE-R54).
      if (spec::is_sm_10x(arch)) ends.push_back(static_cast<uint32_t>(model::End::undefined));
      return ends;
    })},
    .cover = cover_end,
    .batch_cases = 8,
    .most_on_silicon = 80,
    .most_on_emulator = 120,  // each dimension starts below zero in some
});

}  // namespace
}  // namespace assay::suites::claims_tma_tiled_store
