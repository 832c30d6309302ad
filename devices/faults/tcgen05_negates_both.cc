#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(InstructionDescriptor& descriptor) {
  if (descriptor.negate_a) descriptor.negate_b = !descriptor.negate_b;
}

const Fault fault("tcgen05_negates_both", "The bit that negates A negates B as well.", "ADD-R18",
                  [](Tcgen05Steps& steps) { steps.instruction = change; });

}  // namespace
}  // namespace assay::faults
