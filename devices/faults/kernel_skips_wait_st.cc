#include "devices/faults/fault.h"
#include "devices/faults/kernel_edit.h"

namespace assay::faults {
namespace {

const Fault fault("kernel_skips_wait_st",
                  "a kernel goes on before its stores to tensor memory have completed.",
                  "(ptx, tcgen05.wait)",
                  [](std::string_view ptx) { return without(ptx, "tcgen05.wait::st"); },
                  {.device = "sm_100a,strict"});

}  // namespace
}  // namespace assay::faults
