#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct& product, AdderRules& rules) {
  if (product.reads_c && rules.products > 1) --rules.products;
}

const Fault fault("adder_last_product_lost", "With C the last product of an instruction is not summed.",
                  "ADD-R07", [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
