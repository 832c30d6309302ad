#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

int64_t index(const TiledShape& shape, int dimension, int64_t start, uint32_t visit) {
  (void)shape, (void)dimension;
  return start + visit;
}

const Fault fault("traversal_step_ignored", "Traversal strides count elements but do not step over any.",
                  "L-05", [](Steps& steps) { steps.index = index; });

}  // namespace
}  // namespace assay::faults
