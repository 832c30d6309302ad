#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t keep(uint32_t first, uint32_t) {
  return first;
}

const Fault fault("tcgen05_ld_pack_upper_kept", "tcgen05.ld.pack::16b forgets the second column.", "TMEM-R11",
                  [](Tcgen05Steps& steps) { steps.pack = keep; });

}  // namespace
}  // namespace assay::faults
