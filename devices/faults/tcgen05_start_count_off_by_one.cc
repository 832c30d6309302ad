#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void count_one_more(ColumnMask& mask) {
  for (uint32_t& count : mask.start_count) ++count;
}

const Fault fault("tcgen05_start_count_off_by_one",
                  "One column more of the first span is taken for consumed.", "ZCM-R03",
                  [](Tcgen05Steps& steps) { steps.mask = count_one_more; });

}  // namespace
}  // namespace assay::faults
