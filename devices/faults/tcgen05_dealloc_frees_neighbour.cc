#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t below(uint32_t first, uint32_t count) {
  return first >= count ? first - count : first;
}

const Fault fault("tcgen05_dealloc_frees_neighbour",
                  "tcgen05.dealloc gives back the columns below those that it names.",
                  "(ptx, tcgen05.dealloc)", [](Tcgen05Steps& steps) { steps.released = below; });

}  // namespace
}  // namespace assay::faults
