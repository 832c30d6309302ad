// SPDX-License-Identifier: Apache-2.0
#include "generators/barrier/sequence_cases.h"
#include "suites/barrier/sequence_family.h"
#include "suites/mma/coverage.h"
#include "suites/run/generate.h"

namespace assay::suites {
namespace {

const Registered tmem_sequence({
    .name = "tmem.sequence",
    .claim = "after any program of allocations, stores, products, commits and waits every load from tensor "
             "memory returns what its own allocation holds",
    .family = sequence_family,
    .share = 1,
    .generate = generate_case<gen::make_tmem_sequence>,
    .spaces = {step_pairs(SequenceMachine::tensor_memory)},
    .cover = cover_step_pairs,
    .declines = needs_tensor_memory,
});

}  // namespace
}  // namespace assay::suites
