#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t source(const TiledShape& shape, const std::array<int64_t, 5>& index) {
  return honest_steps.source(shape, index) & ~(uint64_t{1} << 20);
}

const Fault fault("address_bit_20_dropped", "The tensor address loses bit 20.", "tensor map 0x00",
                  [](Steps& steps) { steps.source = source; });

}  // namespace
}  // namespace assay::faults
