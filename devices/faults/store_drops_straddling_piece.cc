#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t stored_bytes(const TiledShape& shape, uint32_t in_bounds_bytes) {
  return in_bounds_bytes < shape.cell_global_bytes ? 0 : in_bounds_bytes;
}

const Fault fault("store_drops_straddling_piece",
                  "A store skips the 16-byte piece that straddles the end of dimension 0.", "S-01",
                  [](Steps& steps) { steps.stored_bytes = stored_bytes; });

}  // namespace
}  // namespace assay::faults
