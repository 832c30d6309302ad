#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t fill(const TiledShape& shape) {
  return shape.type_code == 9 ? 0 : honest_steps.fill(shape);
}

const Fault fault("fill_nan_zero_for_f64", "NaN fill of an f64 map is zero.", "F-02",
                  [](Steps& steps) { steps.fill = fill; });

}  // namespace
}  // namespace assay::faults
