#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(WgmmaForm& form) {
  form.transpose_b = false;
}

const Fault fault("wgmma_transpose_ignored", "wgmma reads B as if it were K-major.", "SMEM-R14",
                  [](TensorSteps& steps) { steps.wgmma = change; });

}  // namespace
}  // namespace assay::faults
