#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct&, AdderRules& rules) {
  rules.normalised_bits = 32;
}

const Fault fault("adder_aligns_true_exponent",
                  "A subnormal operand counts with the exponent of its own leading bit.", "ADD-R03",
                  [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
