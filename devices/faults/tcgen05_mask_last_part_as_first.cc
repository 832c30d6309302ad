#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(ColumnMask& mask) {
  mask.start_count[3] = mask.start_count[0];
  mask.starts_zeroed[3] = mask.starts_zeroed[0];
}

const Fault fault("tcgen05_mask_last_part_as_first",
                  "The last part of the columns is masked as the first one.", "ZCM-R03",
                  [](Tcgen05Steps& steps) { steps.mask = change; });

}  // namespace
}  // namespace assay::faults
