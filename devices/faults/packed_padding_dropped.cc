#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t cell_pitch(const TiledShape& shape) {
  return shape.cell_global_bytes < 16 ? shape.cell_global_bytes : honest_steps.cell_pitch(shape);
}

const Fault fault("packed_padding_dropped", "Padded 4- and 6-bit groups lie close together in shared memory.",
                  "PTX 5.5.1.1", [](Steps& steps) { steps.cell_pitch = cell_pitch; }, {.device = "sm_100a"});

}  // namespace
}  // namespace assay::faults
