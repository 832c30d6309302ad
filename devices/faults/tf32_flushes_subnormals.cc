#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t convert(const WordConversion& conversion, uint32_t word) {
  return (word & 0x7f800000u) == 0 ? word & 0x80000000u : honest_steps.convert(conversion, word);
}

const Fault fault("tf32_flushes_subnormals", "A load through a tf32 map flushes subnormals.", "F-06",
                  [](Steps& steps) { steps.convert = convert; });

}  // namespace
}  // namespace assay::faults
