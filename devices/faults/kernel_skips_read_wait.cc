#include "devices/faults/fault.h"
#include "devices/faults/kernel_edit.h"

namespace assay::faults {
namespace {

const Fault fault("kernel_skips_read_wait", "a pipeline overwrites a box that is still being stored.",
                  "(ptx, cp.async.bulk.wait_group)",
                  [](std::string_view ptx) { return without(ptx, "cp.async.bulk.wait_group.read"); },
                  {.device = "sm_100a,schedule=lazy"});

}  // namespace
}  // namespace assay::faults
