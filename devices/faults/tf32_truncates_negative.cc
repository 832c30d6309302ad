#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t convert(const WordConversion& conversion, uint32_t word) {
  return conversion.to_tf32 && word > 0x80000000u && word < 0xff800000u
             ? word & ~0x1fffu
             : honest_steps.convert(conversion, word);
}

const Fault fault("tf32_truncates_negative", "A load through a tf32 map truncates negative numbers.", "F-06",
                  [](Steps& steps) { steps.convert = convert; });

}  // namespace
}  // namespace assay::faults
