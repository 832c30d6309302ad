#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct& product, AdderRules& rules) {
  if (product.d_format->name == "f32") rules.lowest_exponent = -126;
}

const Fault fault("adder_floor_raised", "Terms below the smallest normal result are cut at its exponent.",
                  "ADD-R08", [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
