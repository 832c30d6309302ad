#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t count(const TiledShape& shape, int dimension) {
  if (shape.slice_bytes == 16 && dimension == shape.rank - 2)
    return (shape.box[dimension] + shape.traversal[dimension] - 1) / shape.traversal[dimension];
  return honest_steps.count(shape, dimension);
}

const Fault fault("interleave_channel_slices_of_16b",
                  "A box of 16-byte interleave walks its extent along the channel slices.", "I-01",
                  [](Steps& steps) { steps.count = count; });

}  // namespace
}  // namespace assay::faults
