#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct&, AdderRules& rules) {
  rules.adds_c = AdderRules::AddsC::last;
}

const Fault fault("adder_c_last",
                  "C is added to the rounded sum of the products, by an addition that rounds.", "ADD-R07",
                  [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
