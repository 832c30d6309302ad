#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool inside(const TiledShape& shape, int dimension, int64_t index) {
  return honest_steps.inside(shape, dimension, index) || (dimension == 1 && index == -1);
}

const Fault fault("edge_lower_dim1_off_by_one", "Row -1 of dimension 1 counts as inside.", "L-01",
                  [](Steps& steps) { steps.inside = inside; });

}  // namespace
}  // namespace assay::faults
