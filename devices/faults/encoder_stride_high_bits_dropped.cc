#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t encoded(const spec::Field& field, uint64_t value) {
  return field.name == "global_stride" ? value & 0xfffffffff : value;
}

const Fault fault("encoder_stride_high_bits_dropped", "The encoder drops bits 39:36 of the strides.",
                  "tensor map 0x1C", [](Steps& steps) { steps.encoded = encoded; });

}  // namespace
}  // namespace assay::faults
