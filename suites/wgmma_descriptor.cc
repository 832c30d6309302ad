#include "suites/hopper_coverage.h"

namespace assay::suites {
namespace {

void cover(const Case& any, const Expected&, uint64_t, spec::Arch, CoverageSink& sink) {
  gen::for_smem_cells(any.as<WgmmaCase>(), [&](uint32_t cell) { sink.hit(0, cell); });
}

const Registered descriptor({
    .name = "wgmma.descriptor",
    .claim = "wgmma reads each element of A and B where the shared-memory descriptor says: any start, "
             "strides, base "
             "offset and swizzle, with values whose sums are exact",
    .family = wgmma_family,
    .share = 3,
    .generate = generate_case<gen::make_wgmma_descriptor>,
    .spaces = {{gen::smem_cell_dimension, gen::smem_cell_count,
                [](uint32_t cell, spec::Arch) { return gen::smem_cell_name(cell); },
                [](spec::Arch) { return gen::reachable_smem_cells(); }}},
    .cover = cover,
});

}  // namespace
}  // namespace assay::suites
