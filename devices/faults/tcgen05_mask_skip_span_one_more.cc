#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(ColumnMask& mask) {
  ++mask.skip_span;
}

const Fault fault("tcgen05_mask_skip_span_one_more", "A skip span is one column longer than it says.",
                  "ZCM-R06", [](Tcgen05Steps& steps) { steps.mask = change; });

}  // namespace
}  // namespace assay::faults
