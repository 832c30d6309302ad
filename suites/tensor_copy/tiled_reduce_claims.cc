// SPDX-License-Identifier: Apache-2.0
#include "generators/tensor_copy/tiled_reduce_cases.h"
#include "reference/spec/tensor_map.h"
#include "suites/run/generate.h"
#include "suites/tensor_copy/tiled_coverage.h"
#include "suites/tensor_copy/tiled_family.h"

namespace assay::suites::claims_tma_tiled_reduce {
namespace {

constexpr uint32_t types = 16;
uint32_t cell_of(TensorReduction reduction, uint32_t type) {
  return static_cast<uint32_t>(reduction) * types + type;
}

CellSpace operations(const std::vector<gen::ReductionPair>& (*pairs)()) {
  return {"operation x type", static_cast<uint32_t>(tensor_reduction_names.size()) * types,
          [](uint32_t cell, spec::Arch) {
            return std::string(tensor_reduction_names[cell / types]) + " " +
                   std::string(spec::data_types[cell % types].name);
          },
          [pairs](spec::Arch) {
            std::vector<uint32_t> cells;
            for (const gen::ReductionPair& pair : pairs())
              cells.push_back(cell_of(pair.reduction, pair.type));
            return cells;
          }};
}

void cover(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const TiledCase& c = any.as<TiledCase>();
  sink.hit(0, cell_of(c.reduction, c.map.data_type % types));
}

const Registered reduce({
    .name = "tma.tiled.reduce",
    .claim = "a tiled reduction leaves in each element that a store of its box would write what its "
             "operation gives, "
             "every bit, and touches no other",
    .family = tiled_copy_family,
    .share = 3,
    .generate = generate_case<gen::make_tiled_reduce>,
    .spaces = {operations(gen::tensor_reductions)},
    .cover = cover,
});
const Registered conflicts({
    .name = "tma.tiled.reduce.conflicts",
    .claim = "where rows of its box lie on each other a tiled reduction counts each: an element is what some "
             "order "
             "of them gives",
    .family = tiled_copy_family,
    .share = 1,
    .generate = generate_case<gen::make_tiled_reduce_conflict>,
    .spaces = {operations(gen::tensor_reductions)},
    .cover = cover,
});
const Registered faults({
    .name = "tma.tiled.reduce.faults",
    .claim = "a tiled reduction that its type lacks, or that breaks a rule of stores, faults with the code "
             "of that rule, and ends well where it breaks none",
    .family = tiled_copy_family,
    .share = 0.4,
    .generate = generate_faults<gen::make_tiled_reduce_fault, gen::make_tiled_reduce, tiled_copy_family,
                                model::End::illegal_instruction, model::End::misaligned_address>,
    .spaces = {expected_ends([](spec::Arch) {
      return of_ends({model::End::done, model::End::illegal_instruction, model::End::misaligned_address});
    })},
    .cover = cover_end,
    .batch_cases = 8,
    .most_on_silicon = 120,
    .most_on_emulator = 60,
});

}  // namespace
}  // namespace assay::suites::claims_tma_tiled_reduce
