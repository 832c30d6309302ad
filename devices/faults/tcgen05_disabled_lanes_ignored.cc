#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool write(bool) {
  return false;
}

const Fault fault("tcgen05_disabled_lanes_ignored", "Lanes that are disabled are written too.", "TMEM-R12",
                  [](Tcgen05Steps& steps) { steps.keeps_lane = write; });

}  // namespace
}  // namespace assay::faults
