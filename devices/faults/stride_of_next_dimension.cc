#include <utility>
#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t source(const TiledShape& shape, const std::array<int64_t, 5>& index) {
  TiledShape wrong = shape;
  if (shape.rank > 2) std::swap(wrong.stride[1], wrong.stride[2]);
  return honest_steps.source(wrong, index);
}

const Fault fault("stride_of_next_dimension", "Dimensions 1 and 2 exchange their strides.", "L-01",
                  [](Steps& steps) { steps.source = source; });

}  // namespace
}  // namespace assay::faults
