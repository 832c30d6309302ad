#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t encoded(const spec::Field& field, uint64_t value) {
  return field.name == "swizzle_width" && value == 2 ? 1 : value;
}

const Fault fault("encoder_swizzle_64b_as_32b",
                  "The encoder writes the code of the 32-byte swizzle for the 64-byte one.",
                  "tensor map 0x08, 14:13", [](Steps& steps) { steps.encoded = encoded; });

}  // namespace
}  // namespace assay::faults
