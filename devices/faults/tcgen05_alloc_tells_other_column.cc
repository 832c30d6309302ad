#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t told(uint32_t first, uint32_t count) {
  return count == 32 ? first ^ 32 : first;
}

const Fault fault("tcgen05_alloc_tells_other_column",
                  "tcgen05.alloc of 32 columns tells a column 32 away from those that it took.",
                  "(ptx, tcgen05.alloc)", [](Tcgen05Steps& steps) { steps.allocated = told; });

}  // namespace
}  // namespace assay::faults
