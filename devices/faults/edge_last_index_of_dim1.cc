#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool inside(const TiledShape& shape, int dimension, int64_t index) {
  const uint64_t extent = shape.dim[static_cast<size_t>(dimension)];
  if (dimension == 1 && (extent & (extent - 1)) == 0 && index + 1 == static_cast<int64_t>(extent))
    return false;
  return honest_steps.inside(shape, dimension, index);
}

const Fault fault("edge_last_index_of_dim1",
                  "The last index of dimension 1 counts as outside when the extent is a power of two.",
                  "TILE-R03", [](Steps& steps) { steps.inside = inside; });

}  // namespace
}  // namespace assay::faults
