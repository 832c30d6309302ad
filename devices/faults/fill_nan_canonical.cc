#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t fill(const TiledShape& shape) {
  return shape.nan_fill ? 0x7fff7fff7fff7fffu : honest_steps.fill(shape);
}

const Fault fault("fill_nan_canonical", "NaN fill is the canonical NaN 0x7FFF.", "F-02",
                  [](Steps& steps) { steps.fill = fill; });

}  // namespace
}  // namespace assay::faults
