#include "devices/faults/fault.h"

namespace assay::faults {
namespace {

using namespace emulator;

bool rule(std::string_view id, bool holds) {
  return id == "V-16" || holds;
}

const Fault fault("encoder_box_width_unchecked",
                  "The encoder takes boxes that are no multiple of 16 bytes wide.", "V-16",
                  [](Steps& steps) { steps.rule = rule; });

}  // namespace
}  // namespace assay::faults
