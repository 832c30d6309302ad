#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(WgmmaDescriptor& descriptor) {
  descriptor.base_offset = (descriptor.base_offset + descriptor.start / 128) % 8;
}

const Fault fault(
    "wgmma_phase_from_start",
    "The swizzle pattern of wgmma begins at the start address, not at a multiple of the pattern.", "SMEM-R16",
    [](TensorSteps& steps) { steps.descriptor = change; });

}  // namespace
}  // namespace assay::faults
