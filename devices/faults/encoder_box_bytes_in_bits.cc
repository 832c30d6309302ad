#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t encoded(const spec::Field& field, uint64_t value) {
  return field.name == "box_bytes" ? value * 8 : value;
}

const Fault fault("encoder_box_bytes_in_bits", "The encoder writes the size of the box in bits.",
                  "tensor map 0x40", [](Steps& steps) { steps.encoded = encoded; });

}  // namespace
}  // namespace assay::faults
