#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t swap(uint32_t first, uint32_t second) {
  return first << 16 | (second & 0xffff);
}

const Fault fault("tcgen05_ld_pack_halves_swapped",
                  "tcgen05.ld.pack::16b puts the first column into the upper half.", "TMEM-R11",
                  [](Tcgen05Steps& steps) { steps.pack = swap; });

}  // namespace
}  // namespace assay::faults
