#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t word(uint32_t number, uint32_t words) {
  return words == 8 ? number ^ 4 : number;
}

const Fault fault("tcgen05_pair_disable_words_swapped",
                  "The lanes that an instruction of a CTA pair leaves out are those of the other CTA.",
                  "(ptx, tcgen05.mma: disable-output-lane)",
                  [](Tcgen05Steps& steps) { steps.lane_word = word; });

}  // namespace
}  // namespace assay::faults
