// SPDX-License-Identifier: Apache-2.0
#include "suites/tensor_copy/tiled_coverage.h"

#include "generators/tensor_copy/tiled_cell.h"
#include "suites/run/words.h"

namespace assay::suites {
namespace {

std::vector<uint32_t> reachable_loads(spec::Arch arch) {
  const auto cells = gen::reachable_cells(arch, TiledDirection::load);
  return {cells.begin(), cells.end()};
}
std::vector<uint32_t> reachable_stores(spec::Arch arch) {
  const auto cells = gen::reachable_cells(arch, TiledDirection::store);
  return {cells.begin(), cells.end()};
}

}  // namespace

CellSpace tiled_cells(TiledDirection direction) {
  return {gen::tiled_cell_dimension, gen::tiled_cell_count,
          [](uint32_t cell, spec::Arch) { return gen::name_of(gen::tiled_cell(cell)); },
          direction == TiledDirection::load ? reachable_loads : reachable_stores};
}

void cover_tiled(const Case& any, const Expected& expected, uint64_t, spec::Arch, CoverageSink& sink) {
  if (expected.end == model::End::rejected) return;  // only a case file has such a map, and it has no shape
  const TiledCase& c = any.as<TiledCase>();
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

}  // namespace assay::suites
