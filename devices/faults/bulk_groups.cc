#include "devices/emulator/fault.h"

/// What cp.async.bulk.wait_group waits for.
namespace assay::faults {
namespace {

using namespace emulator;

const Fault rows[] = {
    {"bulk_wait_group_for_reads_alone",
     "cp.async.bulk.wait_group returns once the sources have been read, whatever is still to be written.",
     "(ptx, cp.async.bulk.wait_group)",
     &Steps::group_wait,
     [](uint64_t&, bool& is_read) { is_read = true; },
     {.device = "sm_90a,schedule=lazy"}},
    {"bulk_wait_group_of_four_leaves_one_more",
     "cp.async.bulk.wait_group that may leave four groups and more leaves one more.",
     "(ptx, cp.async.bulk.wait_group)",
     &Steps::group_wait,
     [](uint64_t& pending, bool&) { pending += pending >= 4 ? 1 : 0; },
     {.device = "sm_90a,schedule=lazy"}},
    {"tensor_store_read_not_awaited",
     "cp.async.bulk.wait_group.read does not wait for the sources of tensor stores.",
     "(ptx, cp.async.bulk.wait_group)",
     &Steps::awaits_tensor_reads,
     false,
     {.device = "sm_90a,schedule=lazy"}},
};

}  // namespace
}  // namespace assay::faults
