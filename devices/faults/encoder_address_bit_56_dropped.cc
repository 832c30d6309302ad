#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t encoded(const spec::Field& field, uint64_t value) {
  return field.name == "global_address" ? value & ~(uint64_t{1} << 56) : value;
}

const Fault fault("encoder_address_bit_56_dropped", "The encoder drops bit 56 of the address.",
                  "tensor map 0x04", [](Steps& steps) { steps.encoded = encoded; });

}  // namespace
}  // namespace assay::faults
