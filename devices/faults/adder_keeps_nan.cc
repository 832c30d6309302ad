#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct&, AdderRules& rules) {
  rules.keeps_nan = true;
}

const Fault fault("adder_keeps_nan", "A NaN result has the sign and payload of an operand.", "ADD-R13",
                  [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
