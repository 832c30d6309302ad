#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(const TileProduct&, AdderRules& rules) {
  rules.truncates_terms = false;
}

const Fault fault("adder_terms_rounded", "Each term is rounded to nearest, not cut, where it is aligned.",
                  "ADD-R01", [](TensorSteps& steps) { steps.rules = change; });

}  // namespace
}  // namespace assay::faults
