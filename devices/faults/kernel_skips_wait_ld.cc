#include "devices/faults/fault.h"
#include "devices/faults/kernel_edit.h"

namespace assay::faults {
namespace {

const Fault fault("kernel_skips_wait_ld",
                  "a kernel uses registers before its loads from tensor memory have completed.",
                  "(ptx, tcgen05.wait)",
                  [](std::string_view ptx) { return without(ptx, "tcgen05.wait::ld"); },
                  {.device = "sm_100a,strict"});

}  // namespace
}  // namespace assay::faults
