// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "generators/mma/cases.h"
#include "reference/layout/tmem.h"
#include "suites/tensor_copy/tiled_coverage.h"
#include "suites/tmem/access_family.h"

namespace assay::suites {
namespace {

const Registered tmem_access_load({
    .name = "tmem.ld",
    .claim = "tcgen05.ld loads each register of each thread from the cell that its shape defines",
    .family = tmem_access_family,
    .share = 0.5,
    .generate = generate_case<gen::make_tmem_load>,
    .spaces = {tmem_access_cells()},
    .cover = cover_tmem_access,
    .declines = needs_tensor_memory,
});

const Registered tmem_access_store({
    .name = "tmem.st",
    .claim = "tcgen05.st stores each register of each thread to the cell that its shape defines and writes "
             "nothing else",
    .family = tmem_access_family,
    .share = 0.5,
    .generate = generate_case<gen::make_tmem_store>,
    .spaces = {tmem_access_cells()},
    .cover = cover_tmem_access,
    .declines = needs_tensor_memory,
});

const Registered window({
    .name = "tmem.lane_window",
    .claim = "tcgen05.ld and st access the lanes of their own warp, whatever multiple of 32 the lane field "
             "of the address holds",
    .family = tmem_access_family,
    .share = 0.2,
    .generate = generate_case<gen::make_tmem_same_address>,
    .spaces = {expected_ends([](spec::Arch) {
      return std::vector<uint32_t>{static_cast<uint32_t>(model::End::done)};
    })},
    .cover = cover_end,
    .batch_cases = 8,  // a device that checks the field ends the process
    .most_on_silicon = 80,
    .most_on_emulator = 60,
    .declines = needs_tensor_memory,
});

/// Counts are 1 to 128: 8 powers of two.
uint32_t cell_of_access(uint32_t shape, uint32_t count, bool packs) {
  return (shape * 8 + static_cast<uint32_t>(std::countr_zero(count))) * 2 + (packs ? 1 : 0);
}

std::string name_of_access(uint32_t cell, spec::Arch) {
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
          cells.push_back(cell_of_access(shape, static_cast<uint32_t>(count), packs));
  return cells;
}

}  // namespace

CellSpace tmem_access_cells() {
  return {"shape x count x packing", 5 * 8 * 2, name_of_access, reachable};
}

void cover_tmem_access(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  const TmemAccessCase& c = any.as<TmemAccessCase>();
  sink.hit(0, cell_of_access(c.shape, c.count, c.packs));
}

}  // namespace assay::suites
