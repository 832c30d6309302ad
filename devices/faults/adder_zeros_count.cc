#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct& product, AdderRules& rules) {
  (void)product;
  rules.zeros_have_exponents = true;
}

const Fault fault("adder_zeros_count", "A product of zero counts with an exponent.", "ADD-R02",
                  [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
