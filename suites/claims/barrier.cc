#include "generators/sequence_cases.h"
#include "suites/operations/sequence/family.h"
#include "suites/operations/sequence/sequence_coverage.h"
#include "suites/run/generate_case.h"

namespace assay::suites::claims_barrier {
namespace {

const Registered sequence({
    .name = "barrier.sequence",
    .claim =
        "after any program of mbarrier operations each barrier is in the phase that its arrivals and bytes "
        "make, and every test of a phase says so",
    .family = sequence_family,
    .share = 0.5,
    .generate = generate_case<gen::make_barrier_sequence>,
    .spaces = {step_pairs(SequenceMachine::barriers)},
    .cover = cover_step_pairs,
});

}  // namespace
}  // namespace assay::suites::claims_barrier
