#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t row_pitch(const TiledShape& shape, uint32_t row_bytes) {
  (void)shape;
  return row_bytes;
}

const Fault fault("row_pitch_dense", "Rows narrower than the swizzle span lie close together.",
                  "W-02, TMA-AMB-04", [](Steps& steps) { steps.row_pitch = row_pitch; });

}  // namespace
}  // namespace assay::faults
