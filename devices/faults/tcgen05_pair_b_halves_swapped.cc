#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t other(uint32_t rank) {
  return rank ^ 1;
}

const Fault fault("tcgen05_pair_b_halves_swapped", "The even CTA of a pair supplies the upper half of B.",
                  "TMEM-R02", [](Tcgen05Steps& steps) { steps.half_of_b = other; });

}  // namespace
}  // namespace assay::faults
