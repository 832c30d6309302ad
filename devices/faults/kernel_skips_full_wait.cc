#include "devices/faults/fault.h"
#include "devices/faults/kernel_edit.h"

namespace assay::faults {
namespace {

const Fault fault("kernel_skips_full_wait", "a pipeline multiplies before its operands have arrived.",
                  "(ptx, mbarrier.try_wait)",
                  [](std::string_view ptx) { return without_wait_before(ptx, "tcgen05.mma"); },
                  {.device = "sm_100a,schedule=lazy"});

}  // namespace
}  // namespace assay::faults
