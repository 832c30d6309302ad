#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool read(bool) {
  return true;
}

const Fault fault("tcgen05_input_d_always_read", "enable-input-d is taken for true.", "ADD-R17",
                  [](Tcgen05Steps& steps) { steps.reads_d = read; });

}  // namespace
}  // namespace assay::faults
