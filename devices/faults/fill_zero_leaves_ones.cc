#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t fill(const TiledShape& shape) {
  return shape.type_code == 0 ? ~uint64_t{0} : honest_steps.fill(shape);
}

const Fault fault("fill_zero_leaves_ones", "Zero fill of a one-byte type is 0xFF.", "F-01",
                  [](Steps& steps) { steps.fill = fill; });

}  // namespace
}  // namespace assay::faults
