#include "devices/emulator/async/async.h"
#include "devices/emulator/async/mbarrier.h"
#include "devices/emulator/fault.h"

/// What tcgen05.commit and tcgen05.wait wait for, and where an arrival goes.
namespace assay::faults::tcgen05_sync {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"tcgen05_commit_forgets_oldest",
     "tcgen05.commit does not track the oldest of what its thread has not finished, where that is not all.",
     "SYNC-R01", &Tcgen05Steps::commit_tracks,
     [](size_t number, size_t count, bool) -> bool { return number != 0 || count == 1; }},
    {"tcgen05_commit_tracks_last_alone", "tcgen05.commit tracks the last instruction before it alone.",
     "SYNC-R01", &Tcgen05Steps::commit_tracks,
     [](size_t number, size_t count, bool) -> bool { return number + 1 == count; }},
    {"tcgen05_commit_to_even_cta",
     "tcgen05.commit to a barrier of the odd CTA of a pair arrives at that of the even one.", "SYNC-R01",
     &Tcgen05Steps::committed_to,
     [](uint32_t barrier, uint32_t, bool, bool) -> uint32_t {
       return barrier & ~(uint32_t{1} << shared_rank_shift);
     }},
    {"tcgen05_commit_mask_of_8_bits",
     "tcgen05.commit to CTAs from rank 8 on arrives at those eight ranks below.", "SYNC-R01",
     &Tcgen05Steps::committed_to,
     [](uint32_t barrier, uint32_t, bool is_multicast, bool) -> uint32_t {
       return is_multicast ? barrier & ~(uint32_t{8} << shared_rank_shift) : barrier;
     }},
    {"tcgen05_commit_generic_stays_home",
     "tcgen05.commit to the generic address of another CTA's barrier arrives at that of its own.", "SYNC-R01",
     &Tcgen05Steps::committed_to,
     [](uint32_t barrier, uint32_t rank, bool is_multicast, bool is_generic) -> uint32_t {
       return is_multicast || !is_generic ? barrier
                                          : rank << shared_rank_shift | (barrier & shared_offset_mask);
     }},
    {"tcgen05_commit_named_stays_home",
     "tcgen05.commit without .multicast arrives at the barrier of its own CTA, whichever the address names.",
     "SYNC-R01", &Tcgen05Steps::committed_to,
     [](uint32_t barrier, uint32_t rank, bool is_multicast, bool) -> uint32_t {
       return is_multicast ? barrier : rank << shared_rank_shift | (barrier & shared_offset_mask);
     }},
    {"tcgen05_commit_tracks_new_work_alone",
     "tcgen05.commit does not track what a commit before it tracks, though that is not over.",
     "SYNC-R01",
     &Tcgen05Steps::commit_tracks,
     [](size_t, size_t, bool was_committed) -> bool { return !was_committed; },
     {.device = "sm_100a,schedule=random:7"}},
    {"tcgen05_commit_lost_among_bytes",
     "The arrival of tcgen05.commit is lost where its barrier still waits for bytes.", "SYNC-R01",
     &Tcgen05Steps::commit_arrives, [](const Mbarrier& before) { return before.transactions <= 0; }},
    {"tcgen05_wait_ld_last_left_out",
     "tcgen05.wait::ld does not wait for the last load.",
     "SYNC-R02",
     &Tcgen05Steps::awaited,
     [](bool for_loads, size_t count, size_t) -> size_t {
       return for_loads && count != 0 ? count - 1 : count;
     },
     {.device = "sm_100a,schedule=lazy"}},
    {"tcgen05_wait_st_last_left_out",
     "tcgen05.wait::st does not wait for the last store.",
     "(ptx, tcgen05.wait)",
     &Tcgen05Steps::awaited,
     [](bool for_loads, size_t count, size_t) -> size_t {
       return for_loads || count == 0 ? count : count - 1;
     },
     {.device = "sm_100a,schedule=lazy"}},
    {"tcgen05_wait_st_idle_under_loads",
     "tcgen05.wait::st does not wait where the warp has loads that it has not waited for.",
     "(ptx, tcgen05.wait)",
     &Tcgen05Steps::awaited,
     [](bool for_loads, size_t count, size_t others) -> size_t {
       return !for_loads && others != 0 ? 0 : count;
     },
     {.device = "sm_100a,schedule=lazy"}},
};

}  // namespace
}  // namespace assay::faults::tcgen05_sync
