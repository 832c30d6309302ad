#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

void change(SmemDescriptor& descriptor) {
  descriptor.start &= ~0x10u;
}

const Fault fault("tcgen05_smem_start_bit_dropped",
                  "The lowest bit of the start address of a matrix in shared memory is dropped.", "SMEM-R11",
                  [](Tcgen05Steps& steps) { steps.smem = change; });

}  // namespace
}  // namespace assay::faults
