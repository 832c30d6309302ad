#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t count(const TiledShape& shape, int dimension) {
  if (shape.interleaved() && dimension == shape.rank - 2) return shape.box[dimension] == 1 ? 1 : 2;
  return honest_steps.count(shape, dimension);
}

const Fault fault("interleave_second_channel_slice",
                  "An interleaved box whose extent along the channel slices is above 1 takes two of them.",
                  "I-01", [](Steps& steps) { steps.count = count; });

}  // namespace
}  // namespace assay::faults
