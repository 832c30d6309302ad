#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

uint64_t encoded(const spec::Field& field, uint64_t value) {
  return field.name == "element_stride" && value == 8 ? 1 : value;
}

const Fault fault("encoder_traversal_misplaced",
                  "The encoder writes traversal stride 1 wherever 8 is asked for.", "tensor map 0x34",
                  [](Steps& steps) { steps.encoded = encoded; });

}  // namespace
}  // namespace assay::faults
