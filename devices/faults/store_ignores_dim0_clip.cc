#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t stored_bytes(const TiledShape& shape, uint32_t in_bounds_bytes) {
  (void)in_bounds_bytes;
  return shape.cell_global_bytes;
}

const Fault fault("store_ignores_dim0_clip", "A store writes whole rows, whatever dimension 0 holds.", "S-03",
                  [](Steps& steps) { steps.stored_bytes = stored_bytes; });

}  // namespace
}  // namespace assay::faults
