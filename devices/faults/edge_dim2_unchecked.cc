#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool inside(const TiledShape& shape, int dimension, int64_t index) {
  return dimension == 2 ? index >= 0 : honest_steps.inside(shape, dimension, index);
}

const Fault fault("edge_dim2_unchecked", "Dimension 2 has no upper bound.", "L-01",
                  [](Steps& steps) { steps.inside = inside; });

}  // namespace
}  // namespace assay::faults
