#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t convert(const WordConversion& conversion, uint32_t word) {
  WordConversion wrong = conversion;
  wrong.rounding = 'B';
  return honest_steps.convert(wrong, word);
}

const Fault fault("tf32_ties_away", "A load through a tf32 map rounds ties away from zero.",
                  "F-06, TMA-AMB-07", [](Steps& steps) { steps.convert = convert; });

}  // namespace
}  // namespace assay::faults
