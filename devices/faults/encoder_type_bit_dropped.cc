#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t encoded(const spec::Field& field, uint64_t value) {
  return field.name == "type" ? value & 7 : value;
}

const Fault fault("encoder_type_bit_dropped", "The encoder drops the highest bit of the element type.",
                  "tensor map 0x08, 10:7", [](Steps& steps) { steps.encoded = encoded; });

}  // namespace
}  // namespace assay::faults
