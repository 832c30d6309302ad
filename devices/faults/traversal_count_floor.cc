#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint32_t count(const TiledShape& shape, int dimension) {
  const uint32_t n = shape.box[dimension] / shape.traversal[dimension];
  return dimension == 0 || n == 0 ? honest_steps.count(shape, dimension) : n;
}

const Fault fault("traversal_count_floor",
                  "A box of B elements at traversal stride E has floor(B/E) of them.", "L-05",
                  [](Steps& steps) { steps.count = count; });

}  // namespace
}  // namespace assay::faults
