#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct&, AdderRules& rules) {
  rules.flushes_subnormals = true;
}

const Fault fault("adder_flushes_subnormals", "Subnormal operands count as zeros.", "ADD-R03",
                  [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
