#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

int64_t coordinate(int dimension, int32_t operand) {
  (void)dimension;
  return static_cast<int16_t>(operand);
}

const Fault fault("coordinate_16_bits", "Coordinates keep 16 bits.", "L-02",
                  [](Steps& steps) { steps.coordinate = coordinate; });

}  // namespace
}  // namespace assay::faults
