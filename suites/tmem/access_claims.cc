// SPDX-License-Identifier: Apache-2.0
#include "generators/mma/cases.h"
#include "suites/tensor_copy/tiled_coverage.h"
#include "suites/tmem/access_coverage.h"
#include "suites/tmem/access_family.h"

namespace assay::suites::claims_tmem_access {
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
}  // namespace assay::suites::claims_tmem_access
