#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "V-48" || holds;
}

const Fault fault("encoder_box_bytes_unchecked", "The encoder does not limit the bytes of a box.", "V-48",
                  [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
