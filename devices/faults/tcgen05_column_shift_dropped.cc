#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void drop(ColumnMask& mask) {
  mask.shift = 0;
}

const Fault fault("tcgen05_column_shift_dropped", "The columns of B are not shifted.", "ZCM-R08",
                  [](Tcgen05Steps& steps) { steps.mask = drop; });

}  // namespace
}  // namespace assay::faults
