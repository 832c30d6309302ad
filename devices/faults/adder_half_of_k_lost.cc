#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct& product, AdderRules& rules) {
  rules.products = product.k / 2;
}

const Fault fault("adder_half_of_k_lost", "The second half of K is not multiplied.", "ADD-R07",
                  [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
