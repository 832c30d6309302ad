#include "generators/mma_cases.h"
#include "suites/tmem_access_coverage.h"

namespace assay::suites {
namespace {

const Registered load({
    .name = "tmem.ld",
    .claim = "each register of each thread receives the cell that the shape of tcgen05.ld says",
    .family = tmem_access_family,
    .share = 0.5,
    .generate = generate_case<gen::make_tmem_load>,
    .spaces = {tmem_access_cells()},
    .cover = cover_tmem_access,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
