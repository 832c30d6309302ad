#include "generators/mma_cases.h"
#include "suites/tma_tiled_coverage.h"
#include "suites/tmem_access_coverage.h"

namespace assay::suites {
namespace {

const Registered window({
    .name = "tmem.lane_window",
    .claim = "tcgen05.ld and st access the lanes of their warp, whatever multiple of 32 the lane field of "
             "the address has",
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

}  // namespace
}  // namespace assay::suites
