#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct&, AdderRules& rules) {
  rules.zero_sign = 'B';
}

const Fault fault("adder_minus_zero", "A negative sum that rounds to zero gives -0.", "ADD-R12",
                  [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
