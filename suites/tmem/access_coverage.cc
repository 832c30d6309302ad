// SPDX-License-Identifier: Apache-2.0
#include "suites/tmem/access_coverage.h"

#include <bit>

#include "reference/layout/tmem_access.h"

namespace assay::suites {
namespace {

/// Counts are 1 to 128: 8 powers of two.
uint32_t cell_of(uint32_t shape, uint32_t count, bool packs) {
  return (shape * 8 + static_cast<uint32_t>(std::countr_zero(count))) * 2 + (packs ? 1 : 0);
}

std::string name_of(uint32_t cell, spec::Arch) {
  return std::string(layout::tmem_shapes[cell / 16].name) + ".x" + std::to_string(1u << cell / 2 % 8) +
         (cell % 2 == 1 ? " packed" : "");
}

/// All that fit the 512 columns.
std::vector<uint32_t> reachable(spec::Arch) {
  std::vector<uint32_t> cells;
  for (uint32_t shape = 0; shape < layout::tmem_shapes.size(); ++shape)
    for (int count = 1; count <= layout::tmem_shapes[shape].most_count; count *= 2)
      for (const bool packs : {false, true})
        if (layout::tmem_access_columns(shape, count, packs ? 2 : 1, shape == 4 ? count : 0) <= 512)
          cells.push_back(cell_of(shape, static_cast<uint32_t>(count), packs));
  return cells;
}

}  // namespace

CellSpace tmem_access_cells() {
  return {"shape x count x packing", 5 * 8 * 2, name_of, reachable};
}

void cover_tmem_access(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const TmemAccessCase& c = any.as<TmemAccessCase>();
  sink.hit(0, cell_of(c.shape, c.count, c.packs));
}

}  // namespace assay::suites
