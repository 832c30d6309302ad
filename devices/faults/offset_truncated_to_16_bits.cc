#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t source(const TiledShape& shape, const std::array<int64_t, 5>& index) {
  return shape.address + ((honest_steps.source(shape, index) - shape.address) & 0xffff);
}

const Fault fault("offset_truncated_to_16_bits", "The offset in the tensor keeps 16 bits.", "L-01",
                  [](Steps& steps) { steps.source = source; });

}  // namespace
}  // namespace assay::faults
