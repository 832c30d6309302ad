#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t stored_bytes(const TiledShape& shape, uint32_t in_bounds_bytes) {
  (void)shape;
  return in_bounds_bytes;
}

const Fault fault("store_clips_per_element", "A store clips dimension 0 per element.", "S-01, X-17",
                  [](Steps& steps) { steps.stored_bytes = stored_bytes; });

}  // namespace
}  // namespace assay::faults
