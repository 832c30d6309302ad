#include <utility>

#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(WgmmaDescriptor& descriptor) {
  std::swap(descriptor.leading, descriptor.stride);
}

const Fault fault("wgmma_strides_exchanged",
                  "wgmma takes the leading for the stride offset and the other way round.", "SMEM-R12",
                  [](TensorSteps& steps) { steps.descriptor = change; });

}  // namespace
}  // namespace assay::faults
