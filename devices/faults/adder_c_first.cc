#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct&, AdderRules& rules) {
  rules.adds_c = AdderRules::AddsC::first;
}

const Fault fault("adder_c_first", "C and the first product are summed and rounded before the others join.",
                  "ADD-R07", [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
