#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool inside(const TiledShape& shape, int dimension, int64_t index) {
  return honest_steps.inside(shape, dimension, index) && !(dimension == 4 && index == 0);
}

const Fault fault("edge_dim4_zero_outside", "Index 0 of dimension 4 counts as outside.", "L-01",
                  [](Steps& steps) { steps.inside = inside; });

}  // namespace
}  // namespace assay::faults
