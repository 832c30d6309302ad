#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t lose(uint32_t word, uint32_t half) {
  return half == 0 ? word & 0xffff : 0;
}

const Fault fault("tcgen05_st_unpack_upper_lost",
                  "tcgen05.st.unpack::16b forgets the upper half of a register.", "TMEM-R11",
                  [](Tcgen05Steps& steps) { steps.unpack = lose; });

}  // namespace
}  // namespace assay::faults
