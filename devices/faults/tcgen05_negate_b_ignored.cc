#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void ignore(InstructionDescriptor& descriptor) {
  descriptor.negate_b = false;
}

const Fault fault("tcgen05_negate_b_ignored", "B is not negated.", "ADD-R18",
                  [](Tcgen05Steps& steps) { steps.instruction = ignore; });

}  // namespace
}  // namespace assay::faults
