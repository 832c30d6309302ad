#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct&, AdderRules& rules) {
  rules.cancels_infinities = true;
}

const Fault fault("adder_infinities_cancel", "Infinities of both signs give zero.", "ADD-R13",
                  [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
