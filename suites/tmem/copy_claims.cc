// SPDX-License-Identifier: Apache-2.0
#include "generators/tmem/copy_cases.h"
#include "suites/mma/coverage.h"
#include "suites/run/generate_case.h"
#include "suites/tensor_copy/tiled_coverage.h"
#include "suites/tmem/copy_coverage.h"
#include "suites/tmem/copy_operation.h"

namespace assay::suites::claims_tmem_copy {
namespace {

const Registered copies({
    .name = "tmem.cp",
    .claim = "tcgen05.cp of each shape brings each row of its matrix in shared memory to the lanes of that "
             "row, decompressed where it says so, and nothing else changes",
    .family = tmem_copy_family,
    .generate = generate_case<make_tmem_cp>,
    .spaces = {copy_form_cells(true), copy_source_cells()},
    .cover = cover_copies,
    .declines = needs_tensor_memory,
});
const Registered decompressions({
    .name = "tmem.cp.decompress",
    .claim = "tcgen05.cp spreads 16 elements of 4 or 6 bits in each 16 bytes over 16 bytes, every code",
    .family = tmem_copy_family,
    .share = 0.5,
    .generate = generate_case<make_tmem_cp_decompress>,
    .spaces = {copy_form_cells(false), copy_source_cells()},
    .cover = cover_copies,
    .declines = needs_tensor_memory,
});
const Registered broken({
    .name = "tmem.cp.one_field_wrong",
    .claim = "tcgen05.cp with one field of its descriptor that no table allows, and tcgen05.shift from a "
             "lane between, leave everything around their columns unharmed",
    .family = tmem_copy_family,
    .share = 0.3,
    .generate = generate_case<make_tmem_cp_broken>,
    .spaces = {expected_ends([](spec::Arch) {
      return std::vector<uint32_t>{static_cast<uint32_t>(model::End::done),
                                   static_cast<uint32_t>(model::End::undefined),
                                   static_cast<uint32_t>(model::End::illegal_instruction)};
    })},
    .cover = cover_end,
    .batch_cases = 8,  // any of them may end the process that owns the device
    .most_on_silicon = 80,
    .most_on_emulator = 60,
    .declines = needs_tensor_memory,
});
const Registered order({
    .name = "tmem.cp.order",
    .claim = "copies and shifts of one thread of which nothing is waited for are always done in one order, "
             "though no document lists them as pipelined",
    .family = tmem_copy_family,
    .share = 0.3,
    .generate = generate_case<make_tmem_cp_order>,
    .spaces = {move_pair_cells(false)},
    .cover = cover_move_pairs,
    .declines = needs_tensor_memory,
});
const Registered shifts({
    .name = "tmem.shift",
    .claim = "tcgen05.shift.down moves 8 columns of every 32 lanes one lane down, the last lane keeping its "
             "own, and touches nothing else",
    .family = tmem_copy_family,
    .share = 0.5,
    .generate = generate_case<make_tmem_shift>,
    .spaces = {shift_cells()},
    .cover = cover_shifts,
    .declines = needs_tensor_memory,
});
const Registered refills({
    .name = "tmem.shift.refill",
    .claim = "tcgen05.cp.4x256b behind a tcgen05.shift with no wait between them is done after it",
    .family = tmem_copy_family,
    .share = 0.3,
    .generate = generate_case<make_tmem_shift_refill>,
    .spaces = {move_pair_cells(true)},
    .cover = cover_move_pairs,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites::claims_tmem_copy
