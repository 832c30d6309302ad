#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(WgmmaForm& form) {
  form.negate_a = false;
}

const Fault fault("wgmma_negate_ignored", "wgmma does not negate A.", "ADD-R18",
                  [](TensorSteps& steps) { steps.wgmma = change; });

}  // namespace
}  // namespace assay::faults
