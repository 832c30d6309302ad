#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t encoded(const spec::Field& field, uint64_t value) {
  return field.name == "global_dim" && field.index == 4 && value < 0x80000000 ? value + 1 : value;
}

const Fault fault("encoder_dim_4_without_bias", "The encoder writes the extent of dimension 4 one too large.",
                  "tensor map 0x30", [](Steps& steps) { steps.encoded = encoded; });

}  // namespace
}  // namespace assay::faults
