#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct& product, AdderRules& rules) {
  if (product.d_format->name == "f32") rules.rounds_to_nearest = true;
}

const Fault fault("adder_rounds_to_nearest", "An f32 result is rounded to nearest even.", "ADD-R10",
                  [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
