#include <utility>

#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void exchange(ColumnMask& mask) {
  std::swap(mask.skip_span, mask.use_span);
}

const Fault fault("tcgen05_mask_spans_exchanged", "Skip spans are used and use spans zeroed.", "ZCM-R06",
                  [](Tcgen05Steps& steps) { steps.mask = exchange; });

}  // namespace
}  // namespace assay::faults
