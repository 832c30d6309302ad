#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool leave(bool) {
  return false;
}

const Fault fault("tcgen05_input_d_never_read", "enable-input-d is taken for false.",
                  "tcgen05.mma: enable-input-d", [](Tcgen05Steps& steps) { steps.reads_d = leave; });

}  // namespace
}  // namespace assay::faults
