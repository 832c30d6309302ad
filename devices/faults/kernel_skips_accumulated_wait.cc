#include "devices/faults/fault.h"
#include "devices/faults/kernel_edit.h"

namespace assay::faults {
namespace {

const Fault fault("kernel_skips_accumulated_wait",
                  "a kernel reads an accumulator before the accumulation has completed.",
                  "(ptx, tcgen05.commit)",
                  [](std::string_view ptx) { return without_wait_before(ptx, "tcgen05.ld"); },
                  {.device = "sm_100a,schedule=lazy"});

}  // namespace
}  // namespace assay::faults
