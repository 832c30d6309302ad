#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

int64_t coordinate(int dimension, int32_t operand) {
  return honest_steps.coordinate(dimension, dimension == 2 && operand == -1 ? 0 : operand);
}

const Fault fault("coordinate_minus_one_is_zero",
                  "A coordinate of -1 in dimension 2 counts as 0; every other is right.", "TILE-R03",
                  [](Steps& steps) { steps.coordinate = coordinate; });

}  // namespace
}  // namespace assay::faults
