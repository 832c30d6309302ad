#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t stored_bytes(const TiledShape& shape, uint32_t in_bounds_bytes) {
  return shape.element_bits == 32 ? in_bounds_bytes : honest_steps.stored_bytes(shape, in_bounds_bytes);
}

const Fault fault("store_clips_words", "A store of 4-byte elements clips dimension 0 per element.", "S-01",
                  [](Steps& steps) { steps.stored_bytes = stored_bytes; });

}  // namespace
}  // namespace assay::faults
