#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(ColumnMask& mask) {
  mask.starts_zeroed.fill(false);
}

const Fault fault("tcgen05_mask_start_state_ignored", "The columns before the first span are always used.",
                  "ZCM-R06", [](Tcgen05Steps& steps) { steps.mask = change; });

}  // namespace
}  // namespace assay::faults
