#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t convert(const WordConversion& conversion, uint32_t word) {
  const uint32_t honest = honest_steps.convert(conversion, word);
  const bool tie = (word & 0x1fffu) == 0x1000u && (word & 0x7f800000u) != 0x7f800000u;
  return conversion.to_tf32 && tie ? (word & ~0x1fffu) | 0x2000u : honest;
}

const Fault fault("tf32_ties_to_odd", "A load through a tf32 map rounds ties to odd.", "F-06",
                  [](Steps& steps) { steps.convert = convert; });

}  // namespace
}  // namespace assay::faults
