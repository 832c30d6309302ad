#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

int64_t coordinate(int dimension, int32_t operand) {
  (void)dimension;
  return static_cast<uint32_t>(operand);
}

const Fault fault("coordinate_unsigned", "A negative coordinate is taken as a large positive one.", "L-01",
                  [](Steps& steps) { steps.coordinate = coordinate; });

}  // namespace
}  // namespace assay::faults
