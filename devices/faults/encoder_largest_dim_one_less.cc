#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t encoded(const spec::Field& field, uint64_t value) {
  return field.name == "global_dim" && value == uint64_t{1} << 32 ? value - 1 : value;
}

const Fault fault("encoder_largest_dim_one_less",
                  "The encoder writes one less than 2^32 for an extent of 2^32, and is right for all others.",
                  "tensor map 0x20", [](Steps& steps) { steps.encoded = encoded; });

}  // namespace
}  // namespace assay::faults
