#include "devices/faults/fault.h"
#include "devices/faults/kernel_edit.h"

namespace assay::faults {
namespace {

const Fault fault("kernel_skips_tcgen05_fence",
                  "a kernel does not order tcgen05 instructions after a synchronisation of threads.",
                  "(ptx, tcgen05.fence)",
                  [](std::string_view ptx) { return without(ptx, "tcgen05.fence::after_thread_sync"); },
                  {.device = "sm_100a,strict"});

}  // namespace
}  // namespace assay::faults
