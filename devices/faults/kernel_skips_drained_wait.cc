#include "devices/faults/fault.h"
#include "devices/faults/kernel_edit.h"

namespace assay::faults {
namespace {

const Fault fault("kernel_skips_drained_wait",
                  "a pipeline accumulates into tensor memory that is still being read.",
                  "(ptx, tcgen05 Memory Consistency Model)",
                  [](std::string_view ptx) { return without_wait_before(ptx, "tcgen05.mma", 1); },
                  {.device = "sm_100a,schedule=eager"});

}  // namespace
}  // namespace assay::faults
