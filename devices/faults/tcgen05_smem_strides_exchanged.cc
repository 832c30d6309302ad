#include <utility>

#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void exchange(SmemDescriptor& descriptor) {
  std::swap(descriptor.leading, descriptor.stride);
}

const Fault fault("tcgen05_smem_strides_exchanged", "Leading and stride offset are taken for each other.",
                  "SMEM-R12", [](Tcgen05Steps& steps) { steps.smem = exchange; });

}  // namespace
}  // namespace assay::faults
