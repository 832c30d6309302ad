// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_copy/family.h"

#include "generators/tensor_copy/tiled_cases.h"
#include "generators/tensor_copy/tiled_cell.h"
#include "reference/spec/tensor_map.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

std::vector<uint32_t> reachable_loads(spec::Arch arch) {
  const auto cells = gen::reachable_cells(arch, CopyDirection::load);
  return {cells.begin(), cells.end()};
}
std::vector<uint32_t> reachable_stores(spec::Arch arch) {
  const auto cells = gen::reachable_cells(arch, CopyDirection::store);
  return {cells.begin(), cells.end()};
}

}  // namespace

CellSpace tiled_cells(CopyDirection direction) {
  return {gen::tiled_cell_dimension, gen::tiled_cell_count,
          [](uint32_t cell, spec::Arch) { return gen::name_of(gen::tiled_cell(cell)); },
          direction == CopyDirection::load ? reachable_loads : reachable_stores};
}

void cover_tiled(const Case& any, const Expected& expected, uint64_t, spec::Arch, CoverageSink& sink) {
  if (expected.end == model::End::rejected) return;  // only a case file has such a map, and it has no shape
  const TensorCopyCase& c = any.as<TensorCopyCase>();
  sink.hit(0, gen::index_of(gen::classify(c, gen::visited(c.map, c.coord))));
}

CellSpace expected_ends(std::vector<uint32_t> (*reachable)(spec::Arch)) {
  return {"expected end", static_cast<uint32_t>(model::End::launch_failed) + 1,
          [](uint32_t cell, spec::Arch) { return words(static_cast<model::End>(cell)); }, reachable};
}

std::vector<uint32_t> of_ends(std::initializer_list<model::End> ends) {
  std::vector<uint32_t> cells;
  for (const model::End end : ends) cells.push_back(static_cast<uint32_t>(end));
  return cells;
}

void cover_end(const Case&, const Expected& expected, uint64_t, spec::Arch, CoverageSink& sink) {
  sink.hit(0, static_cast<uint32_t>(expected.end));
}

CellSpace ends_of_faults() {
  return expected_ends([](spec::Arch) {
    return of_ends({model::End::done, model::End::illegal_instruction, model::End::misaligned_address});
  });
}
CellSpace ends_of_counts() {
  return expected_ends([](spec::Arch) {
    return of_ends({model::End::done, model::End::never_completes, model::End::early_surplus});
  });
}

namespace {

constexpr uint32_t reduced_types = 16;
uint32_t reduction_cell(TensorReduction reduction, uint32_t type) {
  return static_cast<uint32_t>(reduction) * reduced_types + type;
}

}  // namespace

CellSpace reductions() {
  return {"operation x type", static_cast<uint32_t>(tensor_reduction_names.size()) * reduced_types,
          [](uint32_t cell, spec::Arch) {
            return std::string(tensor_reduction_names[cell / reduced_types]) + " " +
                   std::string(spec::data_types[cell % reduced_types].name);
          },
          [](spec::Arch) {
            std::vector<uint32_t> cells;
            for (const gen::ReductionPair& pair : gen::tensor_reductions())
              cells.push_back(reduction_cell(pair.reduction, pair.type));
            return cells;
          }};
}

void cover_reduction(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const auto& c = any.as<TensorCopyCase>();
  sink.hit(0, reduction_cell(c.reduction, c.map.data_type % reduced_types));
}

}  // namespace assay::suites
