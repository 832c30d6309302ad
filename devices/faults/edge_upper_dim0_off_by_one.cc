#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool inside(const TiledShape& shape, int dimension, int64_t index) {
  return dimension == 0 ? index >= 0 && index <= static_cast<int64_t>(shape.dim[0])
                        : honest_steps.inside(shape, dimension, index);
}

const Fault fault("edge_upper_dim0_off_by_one",
                  "The first element past the end of dimension 0 counts as inside.", "L-01",
                  [](Steps& steps) { steps.inside = inside; });

}  // namespace
}  // namespace assay::faults
