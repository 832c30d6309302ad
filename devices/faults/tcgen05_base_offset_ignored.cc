#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void ignore(SmemDescriptor& descriptor) {
  descriptor.base_offset = 0;
}

const Fault fault("tcgen05_base_offset_ignored", "The base offset is not looked at.", "SMEM-R17",
                  [](Tcgen05Steps& steps) { steps.smem = ignore; });

}  // namespace
}  // namespace assay::faults
