#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct&, AdderRules& rules) {
  rules.saturates_integers = false;
}

const Fault fault("adder_saturation_dropped",
                  "Integer results wrap where the instruction asks for saturation.", "ADD-R20",
                  [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
