#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct&, AdderRules& rules) {
  --rules.kept_bits;
}

const Fault fault("adder_one_bit_less", "The adder keeps one bit less below the largest exponent.", "ADD-R04",
                  [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
