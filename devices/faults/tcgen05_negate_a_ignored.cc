#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(InstructionDescriptor& descriptor) {
  descriptor.negate_a = false;
}

const Fault fault("tcgen05_negate_a_ignored", "The bit that negates A is not looked at.", "ADD-R18",
                  [](Tcgen05Steps& steps) { steps.instruction = change; });

}  // namespace
}  // namespace assay::faults
