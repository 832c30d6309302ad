#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(WgmmaForm& form) {
  form.ignores_scale_d = true;
}

const Fault fault("wgmma_scale_d_ignored", "wgmma adds to the accumulator even where scale-d is false.",
                  "ADD-R17", [](TensorSteps& steps) { steps.wgmma = change; });

}  // namespace
}  // namespace assay::faults
