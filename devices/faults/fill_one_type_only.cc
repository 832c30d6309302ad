#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t fill(const TiledShape& shape) {
  const uint64_t right = honest_steps.fill(shape);
  return shape.nan_fill && shape.type_code == 9 ? 0x7e007e007e007e00 : right;
}

const Fault fault("fill_one_type_only", "NaN fill of bf16 has the pattern of f16.", "F-01",
                  [](Steps& steps) { steps.fill = fill; });

}  // namespace
}  // namespace assay::faults
