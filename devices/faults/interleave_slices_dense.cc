#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t cell_pitch(const TiledShape& shape) {
  const uint32_t pitch = honest_steps.cell_pitch(shape);
  return shape.slice_bytes == 32 ? pitch / 2 : pitch;
}

const Fault fault("interleave_slices_dense",
                  "Slices of an interleaved box follow each other without their own pitch.", "I-01",
                  [](Steps& steps) { steps.cell_pitch = cell_pitch; });

}  // namespace
}  // namespace assay::faults
