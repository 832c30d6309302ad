#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct& product, AdderRules& rules) {
  rules.fused = product.k / 2;
}

const Fault fault("adder_half_block",
                  "Products are summed in two halves of K, the second on top of the first.", "ADD-R07",
                  [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
