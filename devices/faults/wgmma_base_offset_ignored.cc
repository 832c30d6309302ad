#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(WgmmaDescriptor& descriptor) {
  descriptor.base_offset = 0;
}

const Fault fault("wgmma_base_offset_ignored", "The base offset of a wgmma descriptor is not looked at.",
                  "SMEM-R17", [](TensorSteps& steps) { steps.descriptor = change; });

}  // namespace
}  // namespace assay::faults
