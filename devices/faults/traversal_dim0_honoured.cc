#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

int64_t index(const TiledShape& shape, int dimension, int64_t start, uint32_t visit) {
  return start + static_cast<int64_t>(visit) * shape.traversal[dimension];
}

const Fault fault("traversal_dim0_honoured", "The traversal stride of dimension 0 acts without interleave.",
                  "L-06", [](Steps& steps) { steps.index = index; });

}  // namespace
}  // namespace assay::faults
