#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t count(const TiledShape& shape, int dimension) {
  return dimension == 0 ? shape.box[0] : honest_steps.count(shape, dimension);
}

const Fault fault("interleave_traversal_dim0_ignored",
                  "The traversal stride of dimension 0 does not act in interleaved maps.", "I-02",
                  [](Steps& steps) { steps.count = count; });

}  // namespace
}  // namespace assay::faults
