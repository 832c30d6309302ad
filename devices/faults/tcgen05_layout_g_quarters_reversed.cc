#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t reverse(const AccumulatorLayout& layout, uint32_t group) {
  return layout.name == 'G' ? 3 - group : group;
}

const Fault fault("tcgen05_layout_g_quarters_reversed",
                  "In layout G the last quarter of N lies in the first lanes.", "TMEM-R06",
                  [](Tcgen05Steps& steps) { steps.lane_group = reverse; });

}  // namespace
}  // namespace assay::faults
