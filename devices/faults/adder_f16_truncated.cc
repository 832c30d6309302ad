#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct& product, AdderRules& rules) {
  if (product.d_format->name == "f16") rules.rounds_to_nearest = false;
}

const Fault fault("adder_f16_truncated", "An f16 result is cut, not rounded to nearest.", "ADD-R11",
                  [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
