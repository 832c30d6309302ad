#include "generators/mma_cases.h"
#include "suites/tmem_access_coverage.h"

namespace assay::suites {
namespace {

const Registered store({
    .name = "tmem.st",
    .claim = "each register of each thread goes to the cell that the shape of tcgen05.st says, and nothing "
             "else changes",
    .family = tmem_access_family,
    .share = 0.5,
    .generate = generate_case<gen::make_tmem_store>,
    .spaces = {tmem_access_cells()},
    .cover = cover_tmem_access,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
