#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(InstructionDescriptor& descriptor) {
  descriptor.saturates = false;
}

const Fault fault("tcgen05_saturate_ignored", "Integer results wrap though the descriptor asks to saturate.",
                  "(ptx, tcgen05, instruction descriptor)",
                  [](Tcgen05Steps& steps) { steps.instruction = change; });

}  // namespace
}  // namespace assay::faults
