#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

int64_t index(const TiledShape& shape, int dimension, int64_t start, uint32_t visit) {
  const int64_t honest = honest_steps.index(shape, dimension, start, visit);
  const bool last = visit != 0 && visit + 1 == honest_steps.count(shape, dimension);
  return last && dimension != 0 && shape.traversal[dimension] >= 3 ? honest - 1 : honest;
}

const Fault fault("traversal_last_step_short",
                  "The last step of a traversal stride of 3 or more is one element short.", "L-05",
                  [](Steps& steps) { steps.index = index; });

}  // namespace
}  // namespace assay::faults
