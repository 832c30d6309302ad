#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t reverse(uint32_t word, uint32_t words) {
  return words - 1 - word;
}

const Fault fault("tcgen05_disabled_lanes_reversed",
                  "The words of disable-output-lane count from the highest lanes.", "TMEM-R12",
                  [](Tcgen05Steps& steps) { steps.lane_word = reverse; });

}  // namespace
}  // namespace assay::faults
