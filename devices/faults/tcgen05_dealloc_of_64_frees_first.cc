#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t first_of_all(uint32_t first, uint32_t count) {
  return count == 64 ? 0 : first;
}

const Fault fault("tcgen05_dealloc_of_64_frees_first",
                  "tcgen05.dealloc of 64 columns gives back those from column 0 on.",
                  "(ptx, tcgen05.dealloc)", [](Tcgen05Steps& steps) { steps.released = first_of_all; });

}  // namespace
}  // namespace assay::faults
