#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct& product, AdderRules& rules) {
  if (product.adder != Adder::wgmma || rules.kept_bits != 13) return;
  rules.kept_bits = 25;
  if (product.d_format->name == "f32") rules.significant_bits = 24;
}

const Fault fault("adder_fp8_wide", "wgmma keeps all bits of 8-bit floats, as tcgen05 does.", "ADD-R05",
                  [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
