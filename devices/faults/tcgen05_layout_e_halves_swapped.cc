#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t swap(const AccumulatorLayout& layout, uint32_t group) {
  return layout.name == 'E' ? group ^ 1 : group;
}

const Fault fault("tcgen05_layout_e_halves_swapped",
                  "In layout E the lower half of N lies in the upper lanes.", "TMEM-R05",
                  [](Tcgen05Steps& steps) { steps.lane_group = swap; });

}  // namespace
}  // namespace assay::faults
