#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t count(const TiledShape& shape, int dimension) {
  if (shape.interleaved() && dimension == shape.rank - 2)
    return (shape.box[dimension] + shape.traversal[dimension] - 1) / shape.traversal[dimension];
  return honest_steps.count(shape, dimension);
}

const Fault fault("interleave_walks_channel_slices",
                  "An interleaved box walks its extent along the channel slices.", "TMA-AMB-12, I-01",
                  [](Steps& steps) { steps.count = count; });

}  // namespace
}  // namespace assay::faults
