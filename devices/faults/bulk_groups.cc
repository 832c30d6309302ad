#include "devices/emulator/async/async.h"
#include "devices/emulator/fault.h"

/// What cp.async.bulk.wait_group waits for.
namespace assay::faults::bulk_groups {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"bulk_wait_group_for_reads_alone",
     "cp.async.bulk.wait_group returns once the sources have been read, whatever is still to be written.",
     "(ptx, cp.async.bulk.wait_group)",
     &Steps::group_done,
     [](const AsyncGroup& group, bool) { return group.is_done(/*reading=*/true); },
     {.device = "sm_90a,schedule=lazy"}},
    {"bulk_wait_group_of_four_leaves_one_more",
     "cp.async.bulk.wait_group that may leave four groups and more leaves one more.",
     "(ptx, cp.async.bulk.wait_group)",
     &Steps::groups_left,
     [](uint64_t pending) -> uint64_t { return pending >= 4 ? pending + 1 : pending; },
     {.device = "sm_90a,schedule=lazy"}},
    {"bulk_wait_group_forgets_uncommitted",
     "What a thread issued, but had not committed when it executed cp.async.bulk.wait_group, is never waited "
     "for.",
     "(ptx, cp.async.bulk.wait_group)",
     &Steps::keeps_open_group,
     false,
     {.device = "sm_90a,schedule=lazy"}},
    {"bulk_wait_group_of_eight_leaves_one_more",
     "cp.async.bulk.wait_group that may leave eight groups and more leaves one more.",
     "(ptx, cp.async.bulk.wait_group)",
     &Steps::groups_left,
     [](uint64_t pending) -> uint64_t { return pending >= 8 ? pending + 1 : pending; },
     {.device = "sm_90a,schedule=lazy"}},
    {"bulk_wait_group_of_two_for_reads_alone",
     "cp.async.bulk.wait_group finds a group of two operations and more done once their sources have been "
     "read.",
     "(ptx, cp.async.bulk.wait_group)",
     &Steps::group_done,
     [](const AsyncGroup& group, bool is_read) { return group.is_done(is_read || group.operations >= 2); },
     {.device = "sm_90a,schedule=lazy"}},
    {"bulk_reduction_reads_late",
     "A bulk reduction of global memory reads its source when it writes, after wait_group.read.",
     "(ptx, cp.async.bulk.wait_group)",
     &Steps::reduces_late,
     [](bool is_tensor) { return !is_tensor; },
     {.device = "sm_90a,schedule=lazy"}},
    {"tensor_reduction_reads_late",
     "A tensor reduction reads its source when it writes, after wait_group.read.",
     "(ptx, cp.async.bulk.wait_group)",
     &Steps::reduces_late,
     [](bool is_tensor) { return is_tensor; },
     {.device = "sm_90a,schedule=lazy"}},
    {"tensor_reduction_lost_under_another",
     "A tensor reduction reads what it changes together with its source: of two to the same elements at once "
     "one is lost.",
     "TILE-R58",
     &Steps::reads_targets_early,
     true,
     {.device = "sm_90a,schedule=random:7"}},
    {"tensor_store_read_not_awaited",
     "cp.async.bulk.wait_group.read does not wait for the sources of tensor stores.",
     "(ptx, cp.async.bulk.wait_group)",
     &Steps::awaits_tensor_reads,
     false,
     {.device = "sm_90a,schedule=lazy"}},
};

}  // namespace
}  // namespace assay::faults::bulk_groups
