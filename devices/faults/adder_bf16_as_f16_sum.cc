#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct& product, AdderRules& rules) {
  if (product.a_format->name == "bf16") --rules.kept_bits;
}

const Fault fault("adder_bf16_as_f16_sum",
                  "Products of bf16 are summed with one bit fewer than those of f16.", "ADD-R04",
                  [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
