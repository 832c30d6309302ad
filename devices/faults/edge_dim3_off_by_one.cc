#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool inside(const TiledShape& shape, int dimension, int64_t index) {
  return honest_steps.inside(shape, dimension, index) &&
         !(dimension == 3 && index == static_cast<int64_t>(shape.dim[3]) - 1);
}

const Fault fault("edge_dim3_off_by_one", "The last index of dimension 3 counts as outside.", "L-01",
                  [](Steps& steps) { steps.inside = inside; });

}  // namespace
}  // namespace assay::faults
