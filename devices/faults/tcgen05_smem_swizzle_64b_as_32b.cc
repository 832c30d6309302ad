#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(SmemDescriptor& descriptor) {
  if (descriptor.swizzle == SmemSwizzle::w64) descriptor.swizzle = SmemSwizzle::w32;
}

const Fault fault("tcgen05_smem_swizzle_64b_as_32b",
                  "A matrix with the 64-byte swizzle is read with the 32-byte one.", "SMEM-R16",
                  [](Tcgen05Steps& steps) { steps.smem = change; });

}  // namespace
}  // namespace assay::faults
