#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t encoded(const spec::Field& field, uint64_t value) {
  return field.name == "fill" ? 0 : value;
}

const Fault fault("encoder_fill_dropped", "The encoder writes zero fill for every map.",
                  "tensor map 0x08, 15", [](Steps& steps) { steps.encoded = encoded; });

}  // namespace
}  // namespace assay::faults
