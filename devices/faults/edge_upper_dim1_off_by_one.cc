#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool inside(const TiledShape& shape, int dimension, int64_t index) {
  return honest_steps.inside(shape, dimension, index) &&
         !(dimension == 1 && index == static_cast<int64_t>(shape.dim[1]) - 1);
}

const Fault fault("edge_upper_dim1_off_by_one", "The last row of dimension 1 counts as outside.", "L-01",
                  [](Steps& steps) { steps.inside = inside; });

}  // namespace
}  // namespace assay::faults
