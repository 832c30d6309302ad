#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(SmemDescriptor& descriptor) {
  descriptor.stride &= 0xfff;
}

const Fault fault("tcgen05_smem_stride_truncated", "The stride dimension offset loses its bits above 4 KiB.",
                  "SMEM-R11", [](Tcgen05Steps& steps) { steps.smem = change; });

}  // namespace
}  // namespace assay::faults
