#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t convert(const WordConversion& conversion, uint32_t word) {
  return (word & 0x7fffffffu) > 0x7f800000u ? word : honest_steps.convert(conversion, word);
}

const Fault fault("tf32_keeps_nan", "A load through a tf32 map keeps NaN payloads.", "F-06",
                  [](Steps& steps) { steps.convert = convert; });

}  // namespace
}  // namespace assay::faults
