#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t encoded(const spec::Field& field, uint64_t value) {
  return field.name == "interleave" && value == 2 ? 1 : value;
}

const Fault fault("encoder_interleave_32b_as_16b",
                  "The encoder writes the code of the 16-byte interleave for the 32-byte one.",
                  "tensor map 0x08, 12:11", [](Steps& steps) { steps.encoded = encoded; });

}  // namespace
}  // namespace assay::faults
