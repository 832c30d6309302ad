#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

const Fault fault("signal_before_data", "The barrier is signalled before the data has arrived.",
                  "PTX, async proxy: complete_tx", [](Steps& steps) { steps.signals_before_data = true; },
                  {.device = "sm_90a,schedule=lazy"});

}  // namespace
}  // namespace assay::faults
