#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(SmemDescriptor& descriptor) {
  descriptor.leading &= 0x3fff;
}

const Fault fault("tcgen05_smem_leading_high_bit_dropped",
                  "The highest bits of the leading dimension offset are dropped.", "SMEM-R11",
                  [](Tcgen05Steps& steps) { steps.smem = change; });

}  // namespace
}  // namespace assay::faults
