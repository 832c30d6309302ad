#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t row_pitch(const TiledShape& shape, uint32_t row_bytes) {
  return shape.span == 64 ? row_bytes : honest_steps.row_pitch(shape, row_bytes);
}

const Fault fault("row_pitch_64b_dense", "Rows narrower than the span lie close together with 64B swizzle.",
                  "W-02", [](Steps& steps) { steps.row_pitch = row_pitch; });

}  // namespace
}  // namespace assay::faults
