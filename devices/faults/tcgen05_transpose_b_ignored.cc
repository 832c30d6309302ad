#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(InstructionDescriptor& descriptor) {
  descriptor.transpose_b = false;
}

const Fault fault("tcgen05_transpose_b_ignored", "The transpose bit of B is not looked at.",
                  "(ptx, tcgen05, instruction descriptor)",
                  [](Tcgen05Steps& steps) { steps.instruction = change; });

}  // namespace
}  // namespace assay::faults
